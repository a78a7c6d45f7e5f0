internal import CNetworkManager

/// One reference on a GObject, given up with the last use of this value.
///
/// Not `Sendable`: the object belongs to the loop's thread.
final class ObjectReference {
  let pointer: OpaquePointer

  /// Takes over the caller's reference.
  init(taking pointer: OpaquePointer) { self.pointer = pointer }

  /// Adds a reference to one that belongs to somebody else.
  init(retaining pointer: OpaquePointer) {
    g_object_ref(UnsafeMutableRawPointer(pointer))
    self.pointer = pointer
  }

  deinit { g_object_unref(raw) }

  var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }

  func setProperty(_ name: String, to text: String) {
    set(name, "gchararray") { g_value_set_string(&$0, text) }
  }

  /// The bytes are copied once, by the object itself.
  func setProperty(_ name: String, toBorrowedText text: UnsafePointer<CChar>?) {
    set(name, "gchararray") { g_value_set_static_string(&$0, text) }
  }

  func setProperty(_ name: String, to flag: Bool) {
    set(name, "gboolean") { g_value_set_boolean(&$0, flag ? 1 : 0) }
  }

  func setProperty(_ name: String, to number: Int32) {
    set(name, "gint") { g_value_set_int(&$0, number) }
  }

  func setProperty(_ name: String, to number: UInt32) {
    set(name, "guint") { g_value_set_uint(&$0, number) }
  }

  func setProperty(_ name: String, to bytes: [UInt8]) {
    let boxed = g_bytes_new(bytes, gsize(bytes.count))
    defer { g_bytes_unref(boxed) }
    setProperty(name, toBoxed: boxed)
  }

  /// Takes a reference on a `GBytes`.
  func setProperty(_ name: String, toBoxed bytes: OpaquePointer?) {
    set(name, "GBytes") { g_value_set_boxed(&$0, UnsafeRawPointer(bytes)) }
  }

  func setProperty(_ name: String, toSecretFlags flags: NMSettingSecretFlags) {
    set(name, "NMSettingSecretFlags") { g_value_set_flags(&$0, flags.rawValue) }
  }

  private func set(_ name: String, _ type: String, _ fill: (inout GValue) -> Void) {
    var value = GValue()
    g_value_init(&value, g_type_from_name(type))
    fill(&value)
    g_object_set_property(raw.assumingMemoryBound(to: GObject.self), name, &value)
    g_value_unset(&value)
  }
}
