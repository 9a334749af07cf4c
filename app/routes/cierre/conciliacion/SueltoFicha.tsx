import type { ReactNode } from 'react';
import { CLASE_DE_SUELTO_LABEL, MOTIVO_DE_SUELTO_LABEL } from '~/domain/cierre/conciliacion/suelto';
import { MERCADOS } from '~/domain/mercados/mercados';
import { Estatus } from '~/ui/Estatus';
import { Fecha } from '~/ui/Fecha';
import { SelectField } from '~/ui/Field';
import { Ficha } from '~/ui/ficha/Ficha';
import type { DentroProps } from '~/ui/ficha/panel';
import { Pesos } from '~/ui/Pesos';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import { Hechos, Lineas } from './Fichas';
import type { SueltoAbierto } from './record';

/** The panel of money that is of no sale here: its lines, the search for its sale, and the reason. */
export function SueltoFicha({ ficha: suelto, area }: DentroProps<SueltoAbierto>) {
  const { id, clase, numero, market, busqueda, motivo, quien, motivoEn } = suelto;
  return (
    <Ficha
      que={CLASE_DE_SUELTO_LABEL[clase]}
      numero={numero ?? MERCADOS[market].label}
      estado={
        <>
          <span className="monto">
            <Pesos valor={suelto.importe} />
          </span>
          {motivo === null ? (
            <Estatus tono="mal">{busqueda ?? 'Por identificar'}</Estatus>
          ) : (
            <Estatus tono="ok">{MOTIVO_DE_SUELTO_LABEL[motivo]}</Estatus>
          )}
        </>
      }
      acciones={[
        suelto.depositoId && (
          <a key="deposito" className="boton" href={`${area}/conciliacion?ver=${suelto.depositoId}`}>
            Abrir el depósito
          </a>
        ),
      ]}
    >
      <Hechos
        datos={[
          ['Mercado', MERCADOS[market].label],
          ['Dicho por el mercado', suelto.detalle],
          ['Depositado', suelto.depositadoEn === null ? 'Todavía no' : <Fecha key="d" valor={suelto.depositadoEn} />],
          ...(suelto.buscadoEn === null
            ? []
            : [['Se buscó', <Fecha key="b" valor={suelto.buscadoEn} />] as [string, ReactNode]]),
        ]}
      />
      {clase === 'venta' && numero !== null && motivo === null && <Buscar de={suelto} />}
      <Motivo key={id} de={suelto} />
      {motivo !== null && (
        <p className="nota">
          {quien ? `Lo dijo ${quien}` : 'Lo dice el mercado'}
          {motivoEn !== null && (
            <>
              {' '}
              el <Fecha valor={motivoEn} />
            </>
          )}
        </p>
      )}
      <Lineas
        lineas={suelto.renglones.map((renglon) => ({ ...renglon, ordenId: null, numOrden: null, sueltoId: null }))}
        total={suelto.lineas}
        area={area}
      />
    </Ficha>
  );
}

function Buscar({ de: { id, version, busqueda } }: { de: SueltoAbierto }) {
  const form = useActionForm('buscarVenta', { id: `buscarVenta-${id}` });
  return (
    <section>
      <h3>La venta</h3>
      <p>{busqueda}. Si está en el mercado, llega aquí con su pedido, su factura y su envío.</p>
      <ActionForm of={form}>
        <Hidden id={id} version={version} />
        <div className="botones">
          <button type="submit" className="boton">
            Buscar la venta
          </button>
        </div>
      </ActionForm>
    </section>
  );
}

function Motivo({ de: { id, version, motivo, puede } }: { de: SueltoAbierto }) {
  const form = useActionForm<{ motivo: string }>('decirMotivo', {
    id: `decirMotivo-${id}`,
    defaultValue: { motivo: motivo ?? '' },
  });
  if (!puede) return null;
  return (
    <section>
      <h3>Motivo</h3>
      <ActionForm of={form} className="apilado">
        <Hidden id={id} version={version} />
        <SelectField
          field={form.fields.motivo}
          label="Por qué no es de una venta"
          data-foco={motivo === null || undefined}
          data={[
            { value: '', label: 'No se sabe' },
            ...Object.entries(MOTIVO_DE_SUELTO_LABEL).map(([value, label]) => ({ value, label })),
          ]}
        />
        <div className="botones">
          <button type="submit" className="boton">
            Guardar
          </button>
        </div>
      </ActionForm>
    </section>
  );
}
