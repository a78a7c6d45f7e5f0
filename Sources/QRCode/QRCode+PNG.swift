internal import CPNG
internal import Glibc

extension QRCode {
  /// A picture for a label printer, in shades of grey, the margin included.
  ///
  /// - Parameter scale: how many pixels a module is wide, 1 to 64.
  package func png(scale: Int) throws(Failure) -> [UInt8] {
    let scale = min(max(scale, 1), 64)
    let side = (size + 2 * Self.margin) * scale
    var pixels = [UInt8](repeating: 0xff, count: side * side)
    for y in 0..<side {
      for x in 0..<side
      where isDark(column: x / scale - Self.margin, row: y / scale - Self.margin) {
        pixels[y * side + x] = 0
      }
    }
    // The interface that reports its errors as results, where libpng's others jump out.
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(side)
    image.height = png_uint_32(side)
    image.format = png_uint_32(PNG_FORMAT_GRAY)
    defer { png_image_free(&image) }
    // First to learn the length, then to write.
    var count = png_alloc_size_t(0)
    guard png_image_write_to_memory(&image, nil, &count, 0, pixels, 0, nil) != 0 else {
      throw Self.failure(image)
    }
    var file = [UInt8](repeating: 0, count: count)
    guard png_image_write_to_memory(&image, &file, &count, 0, pixels, 0, nil) != 0 else {
      throw Self.failure(image)
    }
    return Array(file.prefix(count))
  }

  private static func failure(_ image: png_image) -> Failure {
    withUnsafeBytes(of: image.message) {
      .picture(String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self))
    }
  }
}
