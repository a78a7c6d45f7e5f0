/// Where the configuration comes from, which a reload asks again.
struct ConfigurationFiles {
  /// The file that was named on the command line.
  let path: String?
  /// The state folder that was named there.
  let stateFolder: String?

  func read() throws(ConfigurationError) -> Configuration {
    try Configuration(path: path, stateFolder: stateFolder)
  }
}
