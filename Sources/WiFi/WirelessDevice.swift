internal import CNetworkManager
internal import MainLoop

/// An `NMDeviceWifi`; belongs to the loop's thread.
final class WirelessDevice {
  private let object: ObjectReference
  var pointer: OpaquePointer { object.pointer }

  init(retaining pointer: OpaquePointer) { object = ObjectReference(retaining: pointer) }

  /// The D-Bus path; nil once the device is gone.
  var path: String? { nm_object_get_path(pointer).map { String(cString: $0) } }

  /// The kernel's name, such as `wlan0`.
  var interface: String { nm_device_get_iface(pointer).map { String(cString: $0) } ?? "" }

  /// The infrastructure access points that were seen lately, without those that hide their name.
  var accessPoints: [AccessPoint] {
    guard let points = nm_device_wifi_get_access_points(pointer) else { return [] }
    return (0..<Int(points.pointee.len)).compactMap { index in
      points.pointee.pdata[index].flatMap { AccessPoint(OpaquePointer($0)) }
    }
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
  func requestScan() async {
    let ready = await operation { nm_device_wifi_request_scan_async(pointer, nil, $0, $1) }
    _ = try? throwing {
      nm_device_wifi_request_scan_finish(pointer, ready.pointer, $0) != 0 ? true : nil
    }
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
  /// Nil for an access point without a name, and for other modes than infrastructure.
  fileprivate init?(_ point: OpaquePointer) {
    guard nm_access_point_get_mode(point) == NM_802_11_MODE_INFRA,
      let path = nm_object_get_path(point), let bytes = nm_access_point_get_ssid(point)
    else { return nil }
    let ssid = [UInt8](gbytes: bytes)
    guard ssid.contains(where: { $0 != 0 }) else { return nil }
    self.init(
      path: String(cString: path), ssid: ssid,
      security: NetworkSecurity(
        flags: nm_access_point_get_flags(point).rawValue,
        wpa: nm_access_point_get_wpa_flags(point).rawValue,
        rsn: nm_access_point_get_rsn_flags(point).rawValue),
      strength: Int(nm_access_point_get_strength(point)))
  }
}

extension [UInt8] {
  /// Copies a `GBytes`.
  init(gbytes bytes: OpaquePointer) {
    var count: gsize = 0
    let data = g_bytes_get_data(bytes, &count)
    self.init(UnsafeRawBufferPointer(start: data, count: Int(count)))
  }
}
