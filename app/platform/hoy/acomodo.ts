/** The column of a card, of the two that a wide page has. */
export type Columna = 1 | 2;
type Lugar = { clave: string; columna: Columna };
/** Where a card is moved to, within its column. */
export type Hacia = 'arriba' | 'abajo';

/**
 * Returns cards in the order that a person chose. `casa` is the order of the house, and `elegido` the keys as the person left them. Each column is ordered by
 * itself, so no card changes its column; a kind that the person never moved stands after the one that it follows in the house.
 */
export function acomodar<T extends Lugar>(casa: readonly T[], elegido: readonly string[]): T[] {
  const columnas = { 1: ordenarColumna(casa, elegido, 1), 2: ordenarColumna(casa, elegido, 2) };
  // The places of a column stay those of that column, so a narrow page mixes both as the house does.
  return casa.map(({ columna }) => columnas[columna].shift()!);
}

function ordenarColumna<T extends Lugar>(casa: readonly T[], elegido: readonly string[], columna: Columna): T[] {
  const suyas = casa.filter((carta) => carta.columna === columna);
  const orden = elegido.flatMap((clave) => suyas.filter((carta) => carta.clave === clave));
  suyas.forEach((carta, at) => {
    if (orden.includes(carta)) return;
    const antes = suyas[at - 1];
    orden.splice(antes ? orden.indexOf(antes) + 1 : 0, 0, carta);
  });
  return orden;
}

/**
 * Returns the keys of all cards after one of them was moved past its neighbour in sight; as they were where there is none. Cards that are `aparte` are in no
 * sight.
 */
export function mover(
  casa: readonly Lugar[],
  elegido: readonly string[],
  { carta, hacia, aparte }: { carta: string; hacia: Hacia; aparte: readonly string[] },
): string[] {
  const todas = acomodar(casa, elegido);
  const claves = todas.map(({ clave }) => clave);
  const from = claves.indexOf(carta);
  const { columna } = todas[from] ?? {};
  const isNeighbour = ({ clave, columna: una }: Lugar) => una === columna && !aparte.includes(clave);
  const to =
    hacia === 'arriba'
      ? todas.slice(0, from).findLastIndex(isNeighbour)
      : todas.findIndex((una, at) => at > from && isNeighbour(una));
  if (from < 0 || to < 0) return claves;
  claves.splice(from, 1);
  claves.splice(to, 0, carta);
  return claves;
}
