import TestSupport
import Testing

/// What every run of a program is searched with would be found.
struct KnownSecretsTests {
  private let secrets = KnownSecrets()

  init() {
    secrets.add(code: "314-159-266")
    secrets.add(Array("correct horse".utf8), as: "the password")
  }

  @Test(arguments: [
    "code 314-159-266", "314159266", "correct horse", "636f727265637420686f727365",
    "636F727265637420686F727365", "63 6f 72 72 65 63 74 20 68 6f 72 73 65", "Y29ycmVjdCBob3JzZQ==",
    // With a byte, and with two, before it and behind it.
    "YWNvcnJlY3QgaG9yc2Vh", "YWFjb3JyZWN0IGhvcnNlYWE=",
    "[99, 111, 114, 114, 101, 99, 116, 32, 104, 111, 114, 115, 101]",
  ])
  func everyFormIsFound(_ text: String) { #expect(!secrets.found(in: "a \(text) b").isEmpty) }

  @Test func otherTextIsNotTakenForOne() {
    #expect(secrets.found(in: "the Wi-Fi password is wrong, 4 attempts left").isEmpty)
  }
}
