const [QUOTE, BACKSLASH, COLON, OBJECT, LIST] = [0x22, 0x5c, 0x3a, 0x7b, 0x5b]

/**
 * Whether JSON text has more members, objects and lists than a number. Each costs as much as hundreds of bytes of text;
 * they are counted before it is parsed, as parsing costs the most.
 */
export function hasMoreValues(json: Uint8Array, most: number): boolean {
  // Each takes a byte at least: most bodies need no look.
  if (json.length <= most) return false
  let left = most
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === QUOTE) {
      at = endOfText(json, at + 1)
      if (at < 0) return false
    } else if (byte === COLON || byte === OBJECT || byte === LIST) {
      left -= 1
      if (left < 0) return true
    }
  }
  return false
}

/** Where a text ends; -1 if it does not. */
function endOfText(json: Uint8Array, from: number): number {
  let end = json.indexOf(QUOTE, from)
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1)
  return end
}

function isEscaped(json: Uint8Array, at: number): boolean {
  let before = at
  while (json[before - 1] === BACKSLASH) before -= 1
  return (at - before) % 2 === 1
}
