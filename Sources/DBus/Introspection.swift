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
    for method in interface.methods {
      xml += "  <method name=\"\(method.name)\">"
      for type in method.input.types { xml += "<arg type=\"\(type.code)\" direction=\"in\"/>" }
      for type in method.output.types { xml += "<arg type=\"\(type.code)\" direction=\"out\"/>" }
      xml += "</method>\n"
    }
    for signal in interface.signals {
      xml += "  <signal name=\"\(signal.name)\">"
      for type in signal.arguments.types { xml += "<arg type=\"\(type.code)\"/>" }
      xml += "</signal>\n"
    }
    for property in interface.properties {
      let access = property.set == nil ? "read" : "readwrite"
      xml +=
        "  <property name=\"\(property.name)\" type=\"\(property.type.code)\" access=\"\(access)\"/>\n"
    }
    xml += " </interface>\n"
  }
  for child in children { xml += " <node name=\"\(child)\"/>\n" }
  return xml + "</node>\n"
}
