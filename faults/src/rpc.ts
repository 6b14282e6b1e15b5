/** Sends a request to a node. @throws Error with the node's message */
export async function rpc<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await answer.json()) as { result: T; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

export const heightOf = async (url: string): Promise<number> => Number(await rpc<string>(url, 'eth_blockNumber'))
