/// A key file: groups of keys in their order, each with the place where it stands.
///
/// The syntax is GLib's, but values are taken as they stand: no escapes, no lists, no blanks
/// around them. A key that stands twice in a group of one file is an error.
package struct KeyFile: Equatable, Sendable {
  /// The groups in the order of their first lines; a name appears once.
  package private(set) var groups: [Group]

  init(groups: [Group]) { self.groups = groups }

  /// The group of that name, if it is there.
  package subscript(name: String) -> Group? { groups.first { $0.name == name } }

  /// Takes over what a later file says: its keys replace equal ones, and the rest stays.
  mutating func merge(_ later: KeyFile) {
    for group in later.groups {
      if let index = groups.firstIndex(where: { $0.name == group.name }) {
        groups[index].merge(group)
      } else {
        groups.append(group)
      }
    }
  }
}
