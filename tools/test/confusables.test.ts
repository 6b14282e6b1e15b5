import { expect, test } from 'vitest'
import { confusablesFile } from '../src/confusables.ts'

const TABLES = `
pub const UNICODE_VERSION: (u64, u64, u64) = (18, 0, 0);
    const CONFUSABLES: &'static [(char, &'static [char])] = &[
        ('\\u{30}',  &['\\u{4f}']), ('\\u{6d}',  &['\\u{72}',  '\\u{6e}']), ('\\u{39f}',
         &['\\u{4f}'])
    ];
`

test('default: one line per prototype, with everything that looks like it', () => {
  const file = confusablesFile(TABLES)
  expect(file).toContain("CONFUSABLES_UNICODE_VERSION = '18.0.0'")
  expect(file).toContain('`\n4f 30 39f\n72+6e 6d\n`')
})

test('error: a file other than tables.rs is refused', () => {
  expect(() => confusablesFile('pub mod nothing {}')).toThrow('not the tables.rs')
})
