internal import CNetworkManager
internal import DBus
internal import MainLoop

/// An `NMDeviceWifi`; belongs to the loop's thread.
final class WirelessDevice {
  private let object: ObjectReference
  var pointer: OpaquePointer { object.pointer }

  init(retaining pointer: OpaquePointer) { object = ObjectReference(retaining: pointer) }

  /// The D-Bus path; nil once the device is gone.
  var path: String? { nm_object_get_path(pointer).map { String(cString: $0) } }

  var objectPath: ObjectPath? { path.flatMap { ObjectPath($0) } }

  /// The kernel's name, such as `wlan0`.
  var interface: String { nm_device_get_iface(pointer).map { String(cString: $0) } ?? "" }

  /// The infrastructure access points that were seen lately, without those that hide their name.
  var accessPoints: [AccessPoint] { infrastructure.filter { !$0.isHidden } }

  /// The addresses of access points that do not tell their network's name.
  var hiddenAccessPoints: Set<String> {
    Set(infrastructure.filter(\.isHidden).map(\.bssid))
  }

  /// Whether there is a network of this name that has no access point, such as an ad-hoc one.
  func hasForeignCell(_ ssid: [UInt8]) -> Bool {
    cells.contains { cell in
      nm_access_point_get_mode(cell) != NM_802_11_MODE_INFRA
        && nm_access_point_get_ssid(cell).map { [UInt8](gbytes: $0) } == ssid
    }
  }

  private var infrastructure: [AccessPoint] { cells.compactMap { AccessPoint($0) } }

  private var cells: [OpaquePointer] {
    guard let points = nm_device_wifi_get_access_points(pointer) else { return [] }
    return (0..<Int(points.pointee.len)).compactMap { index in
      points.pointee.pdata[index].map { OpaquePointer($0) }
    }
  }

  /// The UUID of the profile that the device is connected with, or on its way to.
  var activeProfile: String? {
    guard let active = nm_device_get_active_connection(pointer),
      nm_active_connection_get_state(active).rawValue
        <= NM_ACTIVE_CONNECTION_STATE_ACTIVATED.rawValue
    else { return nil }
    return nm_active_connection_get_uuid(active).map { String(cString: $0) }
  }

  /// When the last scan ended: `CLOCK_BOOTTIME` in milliseconds, -1 when there was none.
  var lastScan: Int64 { Int64(nm_device_wifi_get_last_scan(pointer)) }

  /// How long ago the last scan ended; longer than any limit when there was none.
  var scanAge: Duration {
    let last = lastScan
    return last < 0
      ? .seconds(Int64(Int32.max)) : .milliseconds(Int64(nm_utils_get_timestamp_msec()) - last)
  }

  /// Asks for a scan; a refusal means that one is going on, or begins by itself.
  ///
  /// - Parameter ssid: a network to ask for by its name, for it may be hidden.
  func requestScan(asking ssid: [UInt8]? = nil) async {
    let ready = await operation {
      nm_device_wifi_request_scan_options_async(pointer, ssid.flatMap(Self.options), nil, $0, $1)
    }
    _ = try? throwing {
      nm_device_wifi_request_scan_finish(pointer, ready.pointer, $0) != 0 ? true : nil
    }
  }

  /// A floating `a{sv}`, which libnm takes.
  private static func options(asking ssid: [UInt8]) -> OpaquePointer? {
    let byte = g_variant_type_new("y")
    defer { g_variant_type_free(byte) }
    let bytes = g_variant_new_fixed_array(byte, ssid, gsize(ssid.count), 1)
    var list: OpaquePointer? = bytes
    let options = g_variant_dict_new(nil)
    g_variant_dict_insert_value(options, "ssids", g_variant_new_array(nil, &list, 1))
    let dictionary = g_variant_dict_end(options)
    g_variant_dict_unref(options)
    return dictionary
  }

  /// Scans, and waits for the results as long as the limits allow.
  func scan(limits: Station.Limits, loop: MainLoop) async {
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    let signal = SignalConnection(pointer, property: NM_DEVICE_WIFI_LAST_SCAN) {
      // Access points are told of around the end of a scan, not in any order with it.
      loop.after(limits.scanSettling) { continuation.finish() }
    }
    let timer = loop.after(limits.scan) { continuation.finish() }
    await requestScan()
    for await _ in ends {}
    timer.cancel()
    withExtendedLifetime(signal) {}
  }
}

extension AccessPoint {
  /// Nil for other modes than infrastructure.
  fileprivate init?(_ point: OpaquePointer) {
    guard nm_access_point_get_mode(point) == NM_802_11_MODE_INFRA,
      let path = nm_object_get_path(point)
    else { return nil }
    let bytes = nm_access_point_get_ssid(point)
    self.init(
      path: String(cString: path), ssid: bytes.map { [UInt8](gbytes: $0) } ?? [],
      security: NetworkSecurity(
        flags: nm_access_point_get_flags(point).rawValue,
        wpa: nm_access_point_get_wpa_flags(point).rawValue,
        rsn: nm_access_point_get_rsn_flags(point).rawValue),
      strength: Int(nm_access_point_get_strength(point)),
      frequency: nm_access_point_get_frequency(point),
      bssid: nm_access_point_get_bssid(point).map { String(cString: $0) } ?? "")
  }

  /// Whether it does not tell its network's name: none, or zeros in its place.
  fileprivate var isHidden: Bool { ssid.allSatisfy { $0 == 0 } }
}

extension [UInt8] {
  /// Copies a `GBytes`.
  init(gbytes bytes: OpaquePointer) {
    var count: gsize = 0
    let data = g_bytes_get_data(bytes, &count)
    self.init(UnsafeRawBufferPointer(start: data, count: Int(count)))
  }
}
