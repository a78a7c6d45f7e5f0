internal import DeviceState
internal import ProvisioningAgent

extension StateFolder: GuessStore {
  package func store(wrongGuesses: UInt32) throws { try save(wrongGuesses: wrongGuesses) }
}
