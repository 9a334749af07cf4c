import { useRef } from 'react';
import type { z } from 'zod';
import { CODIGO_SAT_GENERICO } from '~/domain/facturacion/cfdi/articulos';
import type { FacturarVenta } from '~/domain/facturacion/emision/forms';
import { Visto } from '~/ui/Choque';
import { Confirm } from '~/ui/Confirm';
import { EnOtroLugar, useLugar } from '~/ui/lugar';
import { Pesos } from '~/ui/Pesos';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import type { AquiProps } from '~/routes/inicio/hoy/aqui';
import { Huesos, NoSeLeyo } from '~/routes/inicio/hoy/Huesos';
import { useAqui } from '~/routes/inicio/hoy/useAqui';
import type { FacturaPorRevisar } from './record';
import { CamposDeFactura, hechosOf, valoresOf } from './Revision';

const formaOf = (ordenId: string) => `facturar-${ordenId}`;

/** A sale whose buyer asked for its factura, where it is told: the review of 'Facturación', when nothing of the factura is unknown. */
export function FacturaAqui(props: AquiProps) {
  const { cosa } = props;
  const caja = useRef<HTMLDivElement>(null);
  const { ficha, lugar, fallo, reintentar } = useAqui<FacturaPorRevisar>(props, {
    ficha: `facturacion/${cosa.id}`,
    pantalla: 'facturacion',
    formId: formaOf(cosa.id),
    escrito: false,
    espera: ({ factura }) => (factura === null ? 'hecha' : factura.completa ? 'aqui' : 'fuera'),
    caja,
  });
  if (!ficha?.factura) return fallo ? <NoSeLeyo reintentar={reintentar} /> : <Huesos />;
  const { cliente, articulos, genericos, revision } = ficha.factura;
  return (
    <div ref={caja} className="factura-aqui">
      <p className="nota">
        <strong>{cliente.razonSocial}</strong> · {cliente.rfc} · C.P. {cliente.cp} ·{' '}
        {articulos === 1 ? '1 artículo' : `${articulos} artículos`}
        {genericos > 0 && ` (${genericos} con la clave genérica ${CODIGO_SAT_GENERICO})`} ·{' '}
        <Pesos valor={revision.totales.total} />
      </p>
      <EnOtroLugar.Provider value={lugar}>
        <FacturarForm key={ficha.factura.visto.version} id={formaOf(cosa.id)} factura={ficha.factura} />
      </EnOtroLugar.Provider>
    </div>
  );
}

function FacturarForm({ id, factura }: { id: string; factura: NonNullable<FacturaPorRevisar['factura']> }) {
  const { numOrden, cliente, visto, revision } = factura;
  const form = useActionForm<z.input<typeof FacturarVenta>>('facturar', { id, defaultValue: revision.revision });
  const { fields } = form;
  const lugar = useLugar();
  return (
    <ActionForm of={form}>
      <Hidden numOrden={numOrden} />
      <Visto of={form} marcas={{ ...visto, pagado: revision.pagado }} enVivo />
      <CamposDeFactura fields={fields} cliente={cliente} fechas={revision.fechas} />
      <div className="botones">
        <Confirm
          {...form.question}
          hechos={hechosOf(numOrden, cliente, revision.totales, valoresOf(fields))}
          ready={form.ready}
        >
          Crear Factura
        </Confirm>
        {lugar && form.pending && (
          <span role="status" className="nota">
            Enviando…
          </span>
        )}
      </div>
    </ActionForm>
  );
}
