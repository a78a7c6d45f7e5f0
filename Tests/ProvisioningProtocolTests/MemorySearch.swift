import Glibc
import Secrets
import Testing

/// Looks for bytes in all that this process can write to, freed memory included.
///
/// It allocates nothing while it looks, for that would write over what was freed just now.
final class MemorySearch {
  private let memory: Int32
  /// The addresses in use, in the kernel's words.
  private let table = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 8)
  /// Holds a piece of the memory at a time, so that what other threads free meanwhile does no harm.
  private let window = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 8)

  init() throws {
    memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
    try #require(memory >= 0)
  }

  deinit {
    close(memory)
    table.deallocate()
    window.deallocate()
  }

  /// How often the bytes are there, this one time not counted.
  func copies(of secret: SecretBytes) throws -> Int {
    let maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
    try #require(maps >= 0)
    defer { close(maps) }
    var (length, count) = (0, 0)
    while length < table.count {
      let got = read(maps, table.baseAddress?.advanced(by: length), table.count - length)
      guard got > 0 else { break }
      length += got
    }
    var line = 0
    while line < length {
      // As in `7f0000000000-7f0000021000 rw-p 00000000 00:00 0`.
      var position = line
      let start = hexadecimal(&position)
      position += 1
      let end = hexadecimal(&position)
      // Where a sanitizer keeps its notes, there are terabytes, and nothing of ours.
      if table[position + 1] == UInt8(ascii: "r"), table[position + 2] == UInt8(ascii: "w"),
        end - start < 1 << 30
      {
        count += secret.withUnsafeBytes { copies(of: $0, from: start, to: end) }
      }
      while line < length, table[line] != UInt8(ascii: "\n") { line += 1 }
      line += 1
    }
    return count
  }

  /// Reads digits of the table, and goes behind them.
  private func hexadecimal(_ position: inout Int) -> UInt {
    var number: UInt = 0
    while position < table.count {
      switch table[position] {
      case let digit where digit >= UInt8(ascii: "a"):
        number = number << 4 | UInt(digit - UInt8(ascii: "a") + 10)
      case let digit where digit >= UInt8(ascii: "0"):
        number = number << 4 | UInt(digit - UInt8(ascii: "0"))
      default: return number
      }
      position += 1
    }
    return number
  }

  private func copies(of secret: UnsafeRawBufferPointer, from start: UInt, to end: UInt) -> Int {
    guard let window = window.baseAddress, let sought = secret.baseAddress else { return 0 }
    var (start, count) = (start, 0)
    while start < end {
      let got = pread(memory, window, min(self.window.count, Int(end - start)), Int(start))
      // Another thread may have given the memory back.
      guard got >= secret.count else { break }
      var offset = 0
      while got - offset >= secret.count,
        let found = memchr(window + offset, Int32(secret[0]), got - offset - secret.count + 1)
      {
        offset = found - window
        let address = start + UInt(offset)
        if memcmp(found, sought, secret.count) == 0, address != UInt(bitPattern: sought),
          !isInWindow(address)
        {
          count += 1
        }
        offset += 1
      }
      // One may lie across the end of the window.
      start += UInt(got < self.window.count ? got : got - secret.count + 1)
    }
    return count
  }

  private func isInWindow(_ address: UInt) -> Bool {
    let start = UInt(bitPattern: window.baseAddress)
    return address >= start && address - start < UInt(window.count)
  }
}
