namespace IoBench.Application.Fleet.Control;

/// <summary>Warnings of hosts, each kind once: what forty hosts say of one storage within a moment is one line.</summary>
internal sealed class FleetWarnings(IFleetObserver observer)
{
    private const long Moment = Clock.Second;

    private readonly List<(string Kind, IoWarning Warning, HashSet<string> Hosts)> _waiting = [];
    private long _since;

    /// <summary>Notes a warning of a host.</summary>
    public void Take(FleetHost host, FleetMessage message)
    {
        var warning = new IoWarning(message.ErrorId ?? "", message.Words() ?? "");
        // Of one code each host has figures and files of its own; without a code the words are all that tells kinds apart.
        var kind = warning.Code.Length > 0 ? warning.Code : warning.Template;
        var known = _waiting.Find(item => item.Kind == kind);
        if (known.Hosts is null)
            _waiting.Add(known = (kind, warning, []));
        known.Hosts.Add(host.ToString());
    }

    /// <summary>Says what was noted, a moment after the first of it.</summary>
    /// <param name="hosts">Hosts of the fleet.</param>
    public void Tick(long now, int hosts)
    {
        if (_waiting.Count == 0)
            _since = 0;
        else if (_since == 0)
            _since = now;
        else if (now - _since >= Moment)
            Flush(hosts);
    }

    /// <summary>Says what was noted.</summary>
    public void Flush(int hosts)
    {
        foreach (var (_, warning, names) in _waiting)
            observer.OnWarning(
                new IoWarning(
                    warning.Code,
                    names.Count == 1 ? (IoText)$"{names.First()}: {warning.Text}" : $"{names.Count} of {hosts} hosts: {warning.Text}"
                )
            );
        _waiting.Clear();
        _since = 0;
    }
}
