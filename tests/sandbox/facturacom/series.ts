/** Series: one per kind of document; folios ascend and a refused stamp takes none. */
import { json, type SandboxResponse } from '../service';
import { isBody, textOf } from './read';
import { statusRefusal } from './refusals';
import type { Serie, State } from './state';

export function listSeries(state: State): SandboxResponse {
  return json(200, { status: 'success', data: [...state.series.values()].map(serieData) });
}

export function showSerie(id: string, state: State): SandboxResponse {
  return json(200, { status: 'success', data: serieData(requireSerie(id, state)) });
}

export function createSerie(data: unknown, state: State): SandboxResponse {
  const body = isBody(data) ? data : {};
  const nombre = textOf(body.letra).toUpperCase();
  const tipo = textOf(body.tipoDocumento);
  if (!/^[A-Z]{1,10}$/.test(nombre)) throw statusRefusal({ letra: ['El campo letra es requerido'] });
  if (tipo === '') throw statusRefusal({ tipoDocumento: ['El campo tipoDocumento es requerido'] });
  if ([...state.series.values()].some((serie) => serie.nombre === nombre))
    throw statusRefusal(`La serie ${nombre} ya existe`);
  const id = Math.max(...state.series.keys()) + 1;
  state.saveSerie({
    id,
    nombre,
    tipo,
    descripcion: tipo,
    activa: true,
    siguiente: Math.max(1, Number(body.folio) || 1),
  });
  return json(200, { status: 'success', message: 'La serie ha sido creada correctamente' });
}

/** Turns a series on or off. The answer's key is misspelt as in the true API. */
export function switchSerie(id: string, activa: boolean, state: State): SandboxResponse {
  state.saveSerie({ ...requireSerie(id, state), activa });
  return json(200, { status: 'success', messsage: activa ? 'Serie activada' : 'Serie desactivada' });
}

function requireSerie(id: string, state: State): Serie {
  const serie = state.series.get(Number(id));
  if (!serie) throw statusRefusal('La serie no existe');
  return serie;
}

function serieData(serie: Serie) {
  return {
    SerieID: serie.id,
    SerieName: serie.nombre,
    SerieType: serie.tipo,
    SerieDescription: serie.descripcion,
    SerieStatus: serie.activa ? 'Activa' : 'Inactiva',
  };
}
