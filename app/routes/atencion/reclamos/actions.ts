import { Money } from '~/core/money';
import { escribir, pesosDe, resolver } from '~/domain/atencion/reclamos/actuarEnReclamo.server';
import { destinatariosDeReclamo, mailReclamo } from '~/domain/atencion/reclamos/mailReclamo.server';
import { preguntaDeCorreo, preguntaDeEscribir, preguntaDeResolver } from '~/domain/atencion/reclamos/reclamo';
import { CorreoDeReclamo, EscribirEnReclamo, ResolverReclamo } from '~/domain/atencion/reclamos/reclamoForm';
import { defineRows, outcome } from '~/http/actions.server';

const EN_CAMINO = 'Va en camino a Mercado Libre.';

/** What can be done with a claim from here. */
export const reclamoActions = defineRows({
  escribirEnReclamo: {
    schema: EscribirEnReclamo,
    right: 'reclamos.atender',
    confirm: (_db, { para, texto }) => preguntaDeEscribir(para, texto),
    run: async (db, form, usuario) =>
      outcome({ aviso: (await escribir(db, form, usuario.id)) ? 'Se envió el mensaje.' : EN_CAMINO }),
  },
  resolverReclamo: {
    schema: ResolverReclamo,
    right: 'reclamos.atender',
    confirm: async (db, form) => {
      const pesos = await pesosDe(db, form);
      return (
        pesos &&
        preguntaDeResolver({
          resolucion: form.resolucion,
          marketId: pesos.marketId,
          pagado: pesos.pagado,
          monto: pesos.monto === null ? null : Money.of(pesos.monto),
        })
      );
    },
    run: async (db, form, usuario) =>
      outcome({ aviso: (await resolver(db, form, usuario.id)) ? 'Mercado Libre lo aceptó.' : EN_CAMINO }),
  },
  correoReclamo: {
    schema: CorreoDeReclamo,
    right: 'reclamos.atender',
    confirm: async (db, { reclamo }) => preguntaDeCorreo(await destinatariosDeReclamo(db, reclamo)),
    run: async (db, { reclamo }, usuario) =>
      outcome({
        aviso: (await mailReclamo(db, reclamo, usuario.id)) ? 'Se envio el correo.' : 'El correo está en camino.',
      }),
  },
});
