/// How the daemon ends.
enum ExitStatus: Int32 {
  case success = 0
  /// The system bus or a file cannot be used, or there is no code to show.
  case failure = 1
  /// `EX_CONFIG` of sysexits.h: the service manager need not try again.
  case configuration = 78
}
