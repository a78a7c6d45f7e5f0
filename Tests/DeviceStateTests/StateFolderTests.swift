import Foundation
import Secrets
import Synchronization
import Testing

@testable import DeviceState

@Suite struct StateFolderTests {
  @Test func whatWasWrittenIsRead() throws {
    try withTemporaryFolder { path in
      let folder = try StateFolder(path)
      #expect(try folder.read("x") == nil)
      try folder.write(SecretBytes([1, 2, 3]), to: "x")
      #expect(try folder.read("x") == SecretBytes([1, 2, 3]))
      try folder.write(SecretBytes([]), to: "x")
      #expect(try folder.read("x") == SecretBytes([]))
      #expect(try names(in: path) == ["x"])
      #expect(try permissions(of: path + "/x") == 0o600)
    }
  }

  @Test func theFolderIsMadeForItsOwnerAlone() throws {
    try withTemporaryFolder { path in
      let inner = path + "/state"
      #expect(throws: StateError(path: inner, problem: .missing)) { try StateFolder(inner) }
      _ = try StateFolder(inner, create: true)
      _ = try StateFolder(inner, create: true)
      #expect(try permissions(of: inner) == 0o700)
    }
  }

  @Test func aFolderThatOthersMayWriteToIsRefused() throws {
    try withTemporaryFolder { path in
      try setPermissions(0o770, of: path)
      #expect(throws: StateError(path: path, problem: .exposed(mode: 0o770))) {
        try StateFolder(path)
      }
    }
  }

  @Test(arguments: [0o640, 0o604, 0o601, 0o660])
  func aFileThatOthersMayUseIsRefused(mode: Int) throws {
    try withTemporaryFolder { path in
      let folder = try StateFolder(path)
      try folder.save(wrongGuesses: 3)
      let file = path + "/wrong-guesses"
      try setPermissions(mode, of: file)
      #expect(throws: StateError(path: file, problem: .exposed(mode: UInt32(mode)))) {
        try folder.wrongGuesses()
      }
    }
  }

  @Test func linksFoldersAndPipesAreNoFiles() throws {
    try withTemporaryFolder { path in
      let folder = try StateFolder(path)
      let manager = FileManager.default
      try folder.write(SecretBytes([1]), to: "target")
      try manager.createSymbolicLink(atPath: path + "/link", withDestinationPath: "target")
      try manager.createDirectory(
        atPath: path + "/folder", withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      #expect(mkfifo(path + "/pipe", 0o600) == 0)
      for name in ["link", "folder", "pipe"] {
        #expect(throws: StateError.self) { try folder.read(name) }
      }
    }
  }

  @Test func tooLongAFileIsDamaged() throws {
    try withTemporaryFolder { path in
      let folder = try StateFolder(path)
      try folder.write(SecretBytes([UInt8](repeating: 0, count: 4096)), to: "x")
      #expect(try folder.read("x")?.count == 4096)
      try folder.write(SecretBytes([UInt8](repeating: 0, count: 4097)), to: "x")
      #expect(throws: StateError(path: path + "/x", problem: .corrupt)) { try folder.read("x") }
    }
  }

  @Test func theContentsAreOnTheStorageBeforeTheirNameIs() throws {
    try withTemporaryFolder { path in
      let steps = Steps()
      let folder = try StateFolder(path, create: false, calls: steps.calls(writingAtMost: 2))
      try folder.write(SecretBytes([1, 2, 3]), to: "x")
      #expect(
        steps.taken == [
          "create", "write", "write", "flush file", "replace", "flush folder",
        ])
      #expect(try folder.read("x") == SecretBytes([1, 2, 3]))
    }
  }

  // Each step that fails is also one at which the power may have gone.
  @Test(arguments: 0..<6) func aFailureLeavesOldOrNewAndNoDraft(step: Int) throws {
    try withTemporaryFolder { path in
      try StateFolder(path).write(SecretBytes([9, 9]), to: "x")
      let steps = Steps(failingAt: step)
      let folder = try StateFolder(path, create: false, calls: steps.calls(writingAtMost: 2))
      let error = #expect(throws: StateError.self) {
        try folder.write(SecretBytes([1, 2, 3]), to: "x")
      }
      #expect(
        error == StateError(path: path + "/x", problem: .unwritable(String(cString: strerror(EIO))))
      )
      #expect(steps.taken.count == step + 1)
      #expect(try folder.read("x") == SecretBytes(step < 5 ? [9, 9] : [1, 2, 3]))
      #expect(try names(in: path) == ["x"])
    }
  }

  @Test func aDraftThatThePowersEndLeftIsNoObstacle() throws {
    try withTemporaryFolder { path in
      try Data([7]).write(to: URL(fileURLWithPath: "\(path)/.x.\(getpid())"))
      let folder = try StateFolder(path)
      try folder.write(SecretBytes([1]), to: "x")
      #expect(try names(in: path) == ["x"])
    }
  }
}

/// Notes the calls, and lets one fail.
private final class Steps: Sendable {
  private let list = Mutex<[String]>([])
  private let failing: Int?

  init(failingAt failing: Int? = nil) { self.failing = failing }

  var taken: [String] { list.withLock { $0 } }

  func calls(writingAtMost limit: Int) -> FileCalls {
    let system = FileCalls.system
    return FileCalls(
      create: { folder, name in
        self.passes("create") ? system.create(folder, name) : -1
      },
      write: { file, bytes in
        guard self.passes("write") else { return -1 }
        return system.write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(limit)))
      },
      flush: { descriptor in
        var status = stat()
        fstat(descriptor, &status)
        let kind = status.st_mode & S_IFMT == S_IFDIR ? "folder" : "file"
        return self.passes("flush \(kind)") ? system.flush(descriptor) : -1
      },
      replace: { folder, old, new in
        self.passes("replace") ? system.replace(folder, old, new) : -1
      })
  }

  private func passes(_ step: String) -> Bool {
    let number = list.withLock { list in
      list.append(step)
      return list.count - 1
    }
    guard number == failing else { return true }
    errno = EIO
    return false
  }
}
