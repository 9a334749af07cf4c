import { isInicial, isPantallaOf } from '~/access/menu';
import { landingOf } from '~/access/session.server';
import {
  ApartarCarta,
  ElegirApariencia,
  ElegirDensidad,
  ElegirEtiquetas,
  ElegirInicio,
  EnsancharPanel,
  FijarPantalla,
  MoverCarta,
  OrdenDeLaCasa,
  PlegarCajon,
  PlegarGrupo,
  UsarTeclas,
  VerRecorrido,
} from '~/domain/personal/forms';
import {
  asideCarta,
  foldGroup,
  pinPantalla,
  reorderHoy,
  savePreferencias,
  widenPanel,
} from '~/domain/personal/preferencias.server';
import { mover } from '~/platform/hoy/acomodo';
import type { Usuario } from '~/core/usuario';
import { defineActions } from '~/http/actions.server';
import { lugaresOf } from '../inicio/hoy/pagina';

const back = ({ volver }: { volver: string }, _at: unknown, usuario: Usuario) => landingOf(usuario, volver);

/** The actions on a person's screen preferences. */
export const action = defineActions({
  apariencia: {
    schema: ElegirApariencia,
    run: (db, { apariencia }, usuario) => savePreferencias(db, usuario.id, { apariencia }),
    to: back,
  },
  densidad: {
    schema: ElegirDensidad,
    run: (db, { densidad }, usuario) => savePreferencias(db, usuario.id, { densidad }),
    to: back,
  },
  etiquetas: {
    schema: ElegirEtiquetas,
    run: (db, { etiquetas }, usuario) => savePreferencias(db, usuario.id, { etiquetas }),
    to: back,
  },
  inicio: {
    schema: ElegirInicio,
    run: async (db, { inicio }, usuario) => {
      if (isInicial(usuario.rol, inicio)) await savePreferencias(db, usuario.id, { inicio });
    },
    to: back,
    aviso: 'Se guardó tu página de inicio.',
  },
  moverCarta: {
    schema: MoverCarta,
    commit: (trx, { carta, hacia }, usuario) =>
      reorderHoy(trx, usuario.id, ({ ordenDeHoy, cartasAparte: aparte }) =>
        mover(lugaresOf(usuario), ordenDeHoy, { carta, hacia, aparte }),
      ),
    to: back,
  },
  apartarCarta: {
    schema: ApartarCarta,
    // Only cards of the person's own role can be put aside.
    run: async (db, { carta, aparte }, usuario) => {
      if (lugaresOf(usuario).some(({ clave }) => clave === carta)) await asideCarta(db, usuario.id, carta, aparte);
    },
    to: back,
  },
  ordenDeLaCasa: {
    schema: OrdenDeLaCasa,
    run: (db, _, usuario) => savePreferencias(db, usuario.id, { ordenDeHoy: [] }),
    to: back,
    aviso: 'Las tarjetas volvieron al orden de la casa.',
  },
  cajon: {
    schema: PlegarCajon,
    run: (db, { plegado }, usuario) => savePreferencias(db, usuario.id, { cajonPlegado: plegado }),
    to: back,
  },
  panel: {
    schema: EnsancharPanel,
    run: (db, { panel, ancho }, usuario) => widenPanel(db, usuario.id, panel, ancho),
    to: back,
  },
  teclas: {
    schema: UsarTeclas,
    run: (db, { teclas }, usuario) => savePreferencias(db, usuario.id, { teclas }),
    to: back,
  },
  recorrido: {
    schema: VerRecorrido,
    run: (db, { recorrido }, usuario) => savePreferencias(db, usuario.id, { recorrido }),
    to: back,
  },
  fijar: {
    schema: FijarPantalla,
    // Only screens of the person's own menu can be pinned.
    run: async (db, { pantalla, fijada }, usuario) => {
      if (isPantallaOf(usuario.rol, pantalla)) await pinPantalla(db, usuario.id, pantalla, fijada);
    },
    to: back,
  },
  grupo: {
    schema: PlegarGrupo,
    run: (db, { grupo, plegado }, usuario) => foldGroup(db, usuario.id, grupo, plegado),
    to: back,
  },
});
