import pg from 'pg'

/** The progress of an instance's mirror. */
export interface Standing {
  readonly rows: number
  readonly probed: number
  readonly payable: number
  /** Payable and in the directory. */
  readonly shown: number
  /** Without a way to pay, with the reason in words. */
  readonly refused: number
}

export interface Watching {
  standing(): Promise<Standing>
  /** Size of the services' tables with their indexes, in kilobytes, and their dead rows. */
  sizes(): Promise<readonly { readonly service: string; readonly kilobytes: number; readonly dead: number }[]>
  end(): Promise<void>
}

/** Reads what an instance's services have written, directly from its tables. */
export async function watchMirror(databaseUrl: string): Promise<Watching> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  return {
    async standing() {
      const { rows } = await client.query<Standing>(`
        select count(*)::int as rows, count(*) filter (where mirrored.state <> 'unprobed')::int as probed,
          count(*) filter (where mirrored.state = 'payable')::int as payable,
          count(*) filter (where mirrored.state = 'payable' and listing.published)::int as shown,
          count(*) filter (where mirrored.state = 'unpayable' and mirrored.reason <> '')::int as refused
        from listings.mirrored left join catalog.listing on listing.slug = mirrored.slug`)
      const [row] = rows
      if (!row) throw new Error('the mirror could not be counted')
      return row
    },
    async sizes() {
      const { rows } = await client.query(`
        select schemaname as service, (sum(pg_total_relation_size(relid)) / 1024)::int as kilobytes,
          sum(n_dead_tup)::int as dead
        from pg_stat_user_tables where schemaname in ('listings', 'liveness_prober', 'catalog')
        group by 1 order by 1`)
      return rows
    },
    end: () => client.end(),
  }
}
