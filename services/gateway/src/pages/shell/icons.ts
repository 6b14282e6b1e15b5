import { html } from 'htm/preact'

const icon = (path: string) => () =>
  html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d=${path} fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" />
  </svg>`

export const Check = icon('M3 8.5l3.5 3.5L13 4.5')
export const Cross = icon('M4 4l8 8M12 4l-8 8')
/** Marks what carries more risk. */
export const Warning = icon('M8 2.5L14.5 13.5H1.5L8 2.5zM8 7v2.5M8 11.6v.1')
