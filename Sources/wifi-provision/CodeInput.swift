internal import Glibc
internal import Provisioner
internal import ProvisioningProtocol
internal import Secrets

/// How a command comes by the device's setup code.
enum CodeInput: Equatable, Sendable {
  /// From the command line, where other users may have seen it.
  case argument([UInt8])
  /// From the label's URI, which names the device too.
  case label(SetupURI)
  case source(SecretSource)

  /// Reads the code; blocks until it is there.
  ///
  /// A person at the terminal who mistypes it is asked again.
  func read() throws(SecretError) -> GivenCode {
    switch self {
    case .argument(let text): return try GivenCode(text)
    case .label(let label): return GivenCode(label)
    case .source(.terminal):
      while true {
        do throws(SecretError) {
          return try GivenCode(SecretSource.terminal.read(.setupCode))
        } catch {
          switch error.problem {
          case .code, .label:
            let line = "\(error.message)\n"
            _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
          default: throw error
          }
        }
      }
    case .source(let source): return try GivenCode(source.read(.setupCode))
    }
  }
}
