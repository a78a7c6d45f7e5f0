/// The version of this source, as the other programs of the package have it.
let version = "0.1.0"
