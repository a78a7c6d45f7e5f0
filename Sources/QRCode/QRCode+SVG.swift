extension QRCode {
  /// A picture for a label printer, of any size: the code, and lines of text below it.
  ///
  /// - Parameter caption: lines of ASCII letters, digits, blanks and hyphens.
  package func svg(caption: [String]) -> String {
    let width = size + 2 * Self.margin
    let lineHeight = 4
    let height = width + caption.count * lineHeight
    var path = ""
    for row in 0..<size {
      var column = 0
      while column < size {
        // A run in one piece: seams between squares show in print.
        let end = (column..<size).first { !isDark(column: $0, row: row) } ?? size
        if end > column {
          path += "M\(column + Self.margin) \(row + Self.margin)h\(end - column)v1H"
          path += "\(column + Self.margin)z"
        }
        column = end + 1
      }
    }
    let lines = caption.enumerated().map { index, line in
      """
      <text x="\(width / 2)" y="\(width + index * lineHeight)" font-family="monospace" \
      font-size="3" text-anchor="middle">\(line)</text>\n
      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
      width="\(width)mm" height="\(height)mm">
      <rect width="\(width)" height="\(height)" fill="#fff"/>
      <path d="\(path)" shape-rendering="crispEdges"/>
      \(lines.joined())</svg>\n
      """
  }
}
