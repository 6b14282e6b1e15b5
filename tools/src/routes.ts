import { commandLine } from '@callboard/runtime/command-line'

commandLine(process.argv.slice(2), {
  usage: 'usage: npm run routes\n  Lists every operation: method, path, auth, limit class, subject and handler file.',
})
// The contract is imported only now, so that command-line errors are reported at once.
const [{ LIMITS }, { routeTable }] = await Promise.all([import('@callboard/contract'), import('./route-table.ts')])
print([['METHOD', 'PATH', 'OPERATION', 'AUTH', 'LIMIT', 'SUBJECT', 'HANDLER'], ...routeTable()])
console.log('\nLimit classes (per caller)')
for (const [name, { burst, perMinute }] of Object.entries(LIMITS)) {
  console.log(`  ${name.padEnd(12)} ${burst} at once, ${perMinute} a minute`)
}

function print(rows: readonly string[][]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
