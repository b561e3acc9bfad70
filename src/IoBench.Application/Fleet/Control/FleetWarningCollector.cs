using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Collects warnings of hosts for a second, so that the same warning from many hosts becomes one line.</summary>
/// <param name="isByCode">True if warnings with the same code are the same, although values and files differ by host.</param>
internal sealed class FleetWarningCollector(IFleetObserver observer, bool isByCode = true)
{
    private const long CollectionTime = Clock.Second;

    private readonly List<(string Kind, IoWarning Warning, HashSet<string> Hosts)> _pending = [];
    private long _since;

    public void AddWarning(FleetHost host, MemberMessage message)
    {
        var warning = new IoWarning(message.ErrorId ?? "", message.GetText() ?? "");
        var kind = isByCode && warning.Code.Length > 0 ? warning.Code : $"{warning.Code} {warning.Template}";
        var known = _pending.Find(item => item.Kind == kind);
        if (known.Hosts is null)
            _pending.Add(known = (kind, warning, []));
        known.Hosts.Add(host.ToString());
    }

    /// <summary>Reports the collected warnings one second after the first of them.</summary>
    public void FlushIfDue(long now, int hosts)
    {
        if (_pending.Count == 0)
            _since = 0;
        else if (_since == 0)
            _since = now;
        else if (now - _since >= CollectionTime)
            Flush(hosts);
    }

    public void Flush(int hosts)
    {
        foreach (var (_, warning, names) in _pending)
            observer.OnWarning(
                new IoWarning(
                    warning.Code,
                    names.Count == 1 ? (IoMessage)$"{names.First()}: {warning.Text}" : $"{names.Count} of {hosts} hosts: {warning.Text}"
                )
            );
        _pending.Clear();
        _since = 0;
    }
}
