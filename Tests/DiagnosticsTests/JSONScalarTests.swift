import Diagnostics
import Foundation
import Testing

@Suite struct JSONScalarTests {
  @Test(arguments: ["", "plain", "a \"quote\" and a \\", "\n\r\t\u{0}\u{1f}\u{7f}", "Café 🛜"])
  func anyTextIsReadAsItWas(text: String) throws {
    let line = JSONScalar.object([("text", .string(text)), ("none", .null)])
    #expect(!line.contains("\n"))
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["text"] as? String == text)
    #expect(object["none"] is NSNull)
  }

  @Test func membersKeepTheirOrder() {
    #expect(
      JSONScalar.object([("b", .boolean(true)), ("a", .integer(-7))]) == #"{"b":true,"a":-7}"#)
  }
}
