/// A received signal's strength.
enum Signal {
  /// NetworkManager's percentage as dBm.
  ///
  /// NetworkManager maps -100 dBm to 0 and -40 dBm to 100 (`nm_wifi_utils_level_to_quality`).
  static func decibels(_ percentage: Int) -> Int8 {
    Int8(min(max(percentage, 0), 100) * 60 / 100 - 100)
  }
}
