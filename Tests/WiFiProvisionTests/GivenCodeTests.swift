import Provisioner
import ProvisioningProtocol
import Testing

@testable import wifi_provision

struct GivenCodeTests {
  private let label = "wifiprov:1?id=0123456789ab&code=314159266&name=Kitchen"

  @Test(arguments: ["314-159-266", "314159266", " 314 159 266 "])
  func digitsAreTaken(_ text: String) throws {
    let given = try GivenCode(text.utf8)
    #expect(given.code == (try SetupCode("314159266".utf8)))
    #expect(given.deviceID == nil)
  }

  @Test func aLabelNamesItsDevice() throws {
    let given = try GivenCode(label.utf8)
    #expect(given.code == (try SetupCode("314159266".utf8)))
    #expect(given.deviceID == DeviceID("0123456789ab"))
  }

  @Test(arguments: [
    ("", SecretError.Problem.code(.notNineDigits)), ("314159267", .code(.checkDigit)),
    ("111111118", .code(.checkDigit)), ("3141592660", .code(.notNineDigits)),
    ("wifiprov:1?id=0123456789ab", .label(.missing(.code))),
    ("wifiprov:2?id=0123456789ab&code=314159266", .label(.unsupportedVersion)),
    ("wifiprov:1?id=0123456789ab&code=314159267", .label(.code(.checkDigit))),
  ])
  func whatIsNoneIsRefusedWithoutRepeatingIt(_ text: String, _ problem: SecretError.Problem) {
    let error = #expect(throws: SecretError.self) { try GivenCode(text.utf8) }
    #expect(error?.problem == problem)
    #expect(error?.message.contains("3141592") == false)
    #expect(error.map { CommandResult($0).exitCode } == .wrongCode)
  }
}
