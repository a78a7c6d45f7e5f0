# `make demo` shows the main job; `make test` runs every test. Both install what they need.

PREFIX ?= /usr/local
DESTDIR ?=
SYSCONFDIR ?= /etc
UNITDIR ?= $(PREFIX)/lib/systemd/system
# Not under PREFIX: the message bus and polkit look nowhere else on every distribution.
DATADIR ?= /usr/share

SWIFT := swift
# Says so when a target imports one that the manifest does not allow it.
CHECKED := --explicit-target-dependency-import-check error
# Holds nothing but the static C++ library, so that the linker finds it before the shared one:
# 70 KB of code for one megabyte less in memory.
STATIC := $(CURDIR)/.build/static
# The Swift runtime inside, so that a board needs no Swift; small (packed
# relocations, which need glibc 2.36; no exported symbols, which keep unused code; a section for
# each function, so that the linker drops unused and equal ones; no tables for unwinding). What of
# the runtime is called at the start lies side by side: the kernel maps 64 KB around each page that
# is used.
RELEASE := --configuration release --static-swift-stdlib --disable-local-rpath $(CHECKED) \
  -Xswiftc -Osize -Xswiftc -use-ld=lld -Xlinker --icf=all -Xlinker -z -Xlinker pack-relative-relocs \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker --no-export-dynamic -Xlinker -L$(STATIC) \
  -Xlinker --symbol-ordering-file=$(CURDIR)/packaging/function-order -Xlinker --no-warn-symbol-ordering \
  -Xlinker --no-eh-frame-hdr -Xlinker $(CURDIR)/packaging/no-unwind-tables.lds
define BUILD_RELEASE
@mkdir -p $(STATIC)
@ln -sf "$$($$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")/clang -print-file-name=libstdc++.a)" $(STATIC)/
$(SWIFT) build $(RELEASE)
endef
RELEASE_BIN = .build/release
STAGE := $(CURDIR)/.build/real-stack/root

.PHONY: all build demo test test-schema test-fast test-fuzz test-real bench fuzz sanitize lint install clean deps-build

all: build

deps-build:
	@packaging/dependencies build

build: deps-build
	$(BUILD_RELEASE)

demo:
	@packaging/dependencies build simulator
	$(BUILD_RELEASE)
	Tests/Demo/demo $(RELEASE_BIN)

test: lint test-schema test-fast test-fuzz test-real

lint: deps-build
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Package.swift

# The specification's vectors against its CDDL schema.
test-schema:
	@packaging/dependencies schema
	Tests/Schema/check

# Everything that needs no virtual machine: unit tests, and both programs in the simulator.
# Four tests at a time: each has a bus and programs of its own.
test-fast:
	@packaging/dependencies build simulator
	$(SWIFT) build --build-tests $(CHECKED)
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4 $(SWIFT) test --skip-build --disable-xctest $(if $(FILTER),--filter "$(FILTER)")

# The same jobs on real bluetoothd, NetworkManager, wpa_supplicant and hostapd, in a VM.
test-real: stage
	Tests/RealStack/run $(SCENARIOS)

# What the last run of all scenarios was told, as the README's table.
.PHONY: readme-table
readme-table:
	Tests/RealStack/table

# The decoders of bytes from outside, with their corpora and what libFuzzer makes of them.
test-fuzz: deps-build
	Tests/Fuzz/run 2

# The same for longer, as before a release: 600 seconds for each target.
FUZZ_SECONDS ?= 600
fuzz: deps-build
	Tests/Fuzz/run $(FUZZ_SECONDS)

# The fast tests with the compiler's checks of memory and of threads; SANITIZER selects one.
SANITIZER ?= address thread
sanitize:
	@packaging/dependencies build simulator
	Tests/Sanitizers/run $(SANITIZER)

bench: stage
	BENCHMARKS=1 $(SWIFT) build --scratch-path .build/bench --configuration release \
	  -Xswiftc -Osize --product handshake-cost
	.build/bench/release/handshake-cost >.build/handshake-cost.json
	Tests/RealStack/run --bench --beside .build/handshake-cost.json

# Measures again which functions belong together.
.PHONY: function-order
function-order:
	@packaging/dependencies build simulator function-order
	$(BUILD_RELEASE)
	packaging/order-functions $(RELEASE_BIN)

.PHONY: stage
stage: 
	@packaging/dependencies build real-stack
	$(BUILD_RELEASE)
	@rm -rf $(STAGE)
	@$(MAKE) --no-print-directory install-files PREFIX=/usr DESTDIR=$(STAGE)

install: build install-files

.PHONY: install-files
install-files:
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/sbin
	install -s -m 755 $(RELEASE_BIN)/wifi-provision $(RELEASE_BIN)/radio-simulator $(DESTDIR)$(PREFIX)/bin/
	install -s -m 755 $(RELEASE_BIN)/wifi-provisiond $(DESTDIR)$(PREFIX)/sbin/
	install -d $(DESTDIR)$(SYSCONFDIR)/wifi-provisiond.conf.d $(DESTDIR)$(SYSCONFDIR)/wifi-provisiond.hooks.d
	# A configuration that somebody wrote stays.
	[ -e $(DESTDIR)$(SYSCONFDIR)/wifi-provisiond.conf ] || \
	  install -m 644 packaging/wifi-provisiond.conf $(DESTDIR)$(SYSCONFDIR)/
	install -d $(DESTDIR)$(DATADIR)/dbus-1/system.d $(DESTDIR)$(DATADIR)/polkit-1/actions
	install -m 644 packaging/org.wifiprovisioning.Daemon1.conf $(DESTDIR)$(DATADIR)/dbus-1/system.d/
	install -m 644 packaging/org.wifiprovisioning.policy $(DESTDIR)$(DATADIR)/polkit-1/actions/
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/catalog
	install -m 644 packaging/wifi-provisiond.catalog $(DESTDIR)$(PREFIX)/lib/systemd/catalog/
	install -d $(DESTDIR)$(UNITDIR)
	sed 's|@sbindir@|$(PREFIX)/sbin|' packaging/wifi-provisiond.service.in \
	  >$(DESTDIR)$(UNITDIR)/wifi-provisiond.service

clean:
	rm -rf .build
