import { Money } from '~/core/money';
import { writeInReclamo, pesosOf, resolveReclamo } from '~/domain/atencion/reclamos/actuarEnReclamo.server';
import { destinatariosOfReclamo, mailReclamo } from '~/domain/atencion/reclamos/mailReclamo.server';
import { askCorreo, askWrite, askResolve } from '~/domain/atencion/reclamos/reclamo';
import { CorreoDeReclamo, EscribirEnReclamo, ResolverReclamo } from '~/domain/atencion/reclamos/reclamoForm';
import { defineRows, outcome } from '~/http/actions.server';

const EN_CAMINO = 'Va en camino a Mercado Libre.';

/** The actions on a claim. */
export const reclamoActions = defineRows({
  escribirEnReclamo: {
    schema: EscribirEnReclamo,
    right: 'reclamos.atender',
    termina: true,
    confirm: (_db, { para, texto }) => askWrite(para, texto),
    run: async (db, form, usuario) =>
      outcome({ aviso: (await writeInReclamo(db, form, usuario.id)) ? 'Se envió el mensaje.' : EN_CAMINO }),
  },
  resolverReclamo: {
    schema: ResolverReclamo,
    right: 'reclamos.atender',
    termina: true,
    confirm: async (db, form) => {
      const pesos = await pesosOf(db, form);
      return (
        pesos &&
        askResolve({
          resolucion: form.resolucion,
          marketId: pesos.marketId,
          pagado: pesos.pagado,
          costoDevolucion: pesos.costoDevolucion,
          monto: pesos.monto === null ? null : Money.of(pesos.monto),
        })
      );
    },
    run: async (db, form, usuario) =>
      outcome({ aviso: (await resolveReclamo(db, form, usuario.id)) ? 'Mercado Libre lo aceptó.' : EN_CAMINO }),
  },
  correoReclamo: {
    schema: CorreoDeReclamo,
    right: 'reclamos.atender',
    confirm: async (db, { reclamo }) => askCorreo(await destinatariosOfReclamo(db, reclamo)),
    run: async (db, { reclamo }, usuario) =>
      outcome({
        aviso: (await mailReclamo(db, reclamo, usuario.id)) ? 'Se envio el correo.' : 'El correo está en camino.',
      }),
  },
});
