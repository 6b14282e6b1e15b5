/** Words that say how something is asked for, not what. They count only in a query that has no others. */
const ENGLISH =
  'a about all also am an and any anyone are as at be been best but by can could did do does doing for from get give gives good has have having help how i if in into is it its just kind let like looking make me my need no of on one or our out please service should show so some somebody someone something tell than that the their them then there these they thing this to tool up us use used using very via want wanted was way we what when where which who whose why will with within without would you your'
const OTHERS =
  'aber als auf aus bei das dem den der des die ein eine einen einer es finde für gibt ich im ist kann man mein mir mit nach oder ohne sind suche über und von was welche wie wo zu zum zur ' +
  'au aux avec ce ces comment dans de des du elle en est et il je la le les mes mon nous ou où par pas pour quel quelle qui sans son sur trouver un une vous ' +
  'al busco como con cómo cual del donde el ella esta este hay las lo los mi muy necesito no para pero por que qué quiero se sin su una uno unos ' +
  'che con da dei del della di è il gli ho lo mi nel non per più quale sono trovare uno ' +
  'como da das de do dos em na nas não no nos o onde os ou para por preciso quero são sem um uma ' +
  'and e y в и из как на не по с'

/** Expects a folded word. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  `${ENGLISH} ${OTHERS}`
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .split(' '),
)
