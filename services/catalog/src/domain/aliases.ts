import { Aliases } from '@callboard/search-index'
import groups from './aliases.json' with { type: 'json' }

/** Terms that people write in several ways. `aliases.json` has a list per term; any of its forms finds the others. */
export const aliases: Aliases = new Aliases(groups)
