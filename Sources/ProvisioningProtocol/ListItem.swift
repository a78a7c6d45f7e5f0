package import CBOR

/// What a device tells page by page; at most 64 bytes of CBOR.
package protocol ListItem: Hashable, Sendable {
  /// Reads an item of a page.
  init(_ value: CBORValue) throws(MessageError)

  /// The map for the page.
  var map: CBORValue { get }
}
