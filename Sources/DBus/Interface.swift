/// A D-Bus interface that an exported object offers.
package struct Interface: Sendable {
  package let name: String
  /// For who reads the introspection data; nil for nothing.
  let documentation: String?
  package let methods: [Method]
  package let properties: [Property]
  package let signals: [SignalDescription]

  package init(
    _ name: String, documentation: String? = nil, methods: [Method] = [],
    properties: [Property] = [], signals: [SignalDescription] = []
  ) {
    self.name = name
    self.documentation = documentation
    self.methods = methods
    self.properties = properties
    self.signals = signals
  }
}

/// A method of an exported object.
package struct Method: Sendable {
  package let name: String
  package let input: Signature
  package let output: Signature
  /// The names of the arguments and then of the results; fewer where they have none.
  let names: [String]
  let documentation: String?
  let handler: @Sendable (MethodCall) -> MethodOutcome

  /// - Parameters:
  ///   - input: what the arguments must be; a call with others is refused without the handler.
  ///   - output: what the reply holds, for introspection.
  ///   - names: of the arguments and then of what the reply holds, for introspection.
  ///   - documentation: for who reads the introspection data.
  ///   - handler: runs on the loop's thread, in the bus's order.
  package init(
    _ name: String, in input: StaticString = "", out output: StaticString = "",
    names: [String] = [], documentation: String? = nil,
    _ handler: @escaping @Sendable (MethodCall) -> MethodOutcome
  ) {
    self.name = name
    self.input = Signature(literal: input)
    self.output = Signature(literal: output)
    self.names = names
    self.documentation = documentation
    self.handler = handler
  }
}

/// What a method answers.
package enum MethodOutcome: Sendable {
  case reply([Value])
  case error(BusError)
  /// The handler keeps the call and answers it itself.
  case later
}

/// A property of an exported object.
package struct Property: Sendable {
  package let name: String
  package let type: SingleType
  let documentation: String?
  let get: @Sendable () -> Value?
  let set: (@Sendable (Value, MethodCall) -> BusError?)?

  /// - Parameters:
  ///   - get: runs on the loop's thread; nil means that the property is absent at the moment.
  ///   - set: runs on the loop's thread with a value of the right type; returns why it refuses.
  ///     Without it the property is read-only.
  package init(
    _ name: String, _ type: StaticString, documentation: String? = nil,
    get: @escaping @Sendable () -> Value?, set: (@Sendable (Value, MethodCall) -> BusError?)? = nil
  ) {
    self.name = name
    guard let single = Signature(literal: type).types.first else {
      preconditionFailure("a property has one type")
    }
    self.type = single
    self.documentation = documentation
    self.get = get
    self.set = set
  }

  /// A property that never changes.
  package init(_ name: String, _ value: Value) {
    self.name = name
    type = value.type
    documentation = nil
    get = { value }
    set = nil
  }
}

/// A signal, for introspection.
package struct SignalDescription: Sendable {
  package let name: String
  package let arguments: Signature
  let names: [String]
  let documentation: String?

  package init(
    _ name: String, _ arguments: StaticString = "", names: [String] = [],
    documentation: String? = nil
  ) {
    self.name = name
    self.arguments = Signature(literal: arguments)
    self.names = names
    self.documentation = documentation
  }
}
