import { Aliases } from '@callboard/search-index'
import groups from './aliases.json' with { type: 'json' }

/** What people of this field write in several ways. `aliases.json` has a list for each thing; any of them finds the others. */
export const aliases: Aliases = new Aliases(groups)
