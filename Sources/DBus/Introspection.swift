/// An object's introspection data (D-Bus specification, "Introspection data format").
func introspection(of interfaces: [Interface], isManager: Bool, children: [String]) -> String {
  var xml = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>
     <interface name="\(StandardInterface.introspectable)">
      <method name="Introspect"><arg type="s" direction="out"/></method>
     </interface>

    """
  if isManager {
    xml += """
       <interface name="\(StandardInterface.objectManager)">
        <method name="GetManagedObjects"><arg type="a{oa{sa{sv}}}" direction="out"/></method>
        <signal name="InterfacesAdded"><arg type="o"/><arg type="a{sa{sv}}"/></signal>
        <signal name="InterfacesRemoved"><arg type="o"/><arg type="as"/></signal>
       </interface>

      """
  }
  if !interfaces.isEmpty {
    xml += """
       <interface name="\(StandardInterface.properties)">
        <method name="Get"><arg type="s" direction="in"/><arg type="s" direction="in"/>\
      <arg type="v" direction="out"/></method>
        <method name="GetAll"><arg type="s" direction="in"/><arg type="a{sv}" direction="out"/></method>
        <method name="Set"><arg type="s" direction="in"/><arg type="s" direction="in"/>\
      <arg type="v" direction="in"/></method>
        <signal name="PropertiesChanged"><arg type="s"/><arg type="a{sv}"/><arg type="as"/></signal>
       </interface>

      """
  }
  for interface in interfaces {
    xml += " <interface name=\"\(interface.name)\">\n"
    if let text = interface.documentation { xml += "  \(annotation(text))\n" }
    for method in interface.methods {
      let (input, output) = (method.input.types, method.output.types)
      xml += "  <method name=\"\(method.name)\">"
      xml += arguments(input, method.names, direction: "in")
      xml += arguments(output, Array(method.names.dropFirst(input.count)), direction: "out")
      xml += "\(method.documentation.map(annotation) ?? "")</method>\n"
    }
    for signal in interface.signals {
      xml += "  <signal name=\"\(signal.name)\">"
      xml += arguments(signal.arguments.types, signal.names)
      xml += "\(signal.documentation.map(annotation) ?? "")</signal>\n"
    }
    for property in interface.properties {
      let access = property.set == nil ? "read" : "readwrite"
      xml += "  <property name=\"\(property.name)\" type=\"\(property.type.code)\""
      xml += " access=\"\(access)\">\(property.documentation.map(annotation) ?? "")</property>\n"
    }
    xml += " </interface>\n"
  }
  for child in children { xml += " <node name=\"\(child)\"/>\n" }
  return xml + "</node>\n"
}

private func arguments(
  _ types: [SingleType], _ names: [String], direction: String? = nil
) -> String {
  types.enumerated().map { index, type in
    let name = index < names.count ? " name=\"\(names[index])\"" : ""
    let direction = direction.map { " direction=\"\($0)\"" } ?? ""
    return "<arg\(name) type=\"\(type.code)\"\(direction)/>"
  }.joined()
}

/// What tools such as `gdbus introspect` show beside a declaration.
private func annotation(_ text: String) -> String {
  var escaped = ""
  for character in text {
    switch character {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case "\"": escaped += "&quot;"
    default: escaped.append(character)
    }
  }
  return "<annotation name=\"org.gtk.GDBus.DocString\" value=\"\(escaped)\"/>"
}
