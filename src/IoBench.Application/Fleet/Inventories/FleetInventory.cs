using System.Globalization;

namespace IoBench.Application.Fleet.Inventories;

/// <summary>The hosts of a fleet: from a file (CSV, JSON, Ansible's INI or YAML), or from names.</summary>
public static class FleetInventory
{
    private const long MaxBytes = 16 << 20;

    /// <summary>Hosts of a file, or of names that commas separate.</summary>
    /// <param name="source">The file, or the names.</param>
    /// <exception cref="IoBenchException"><c>IoBench.Inventory</c>: it cannot be read or understood; names a line where there is one.</exception>
    public static IReadOnlyList<FleetHost> Read(string source)
    {
        ArgumentNullException.ThrowIfNull(source);
        if (!File.Exists(source))
            return
                source.AsSpan().IndexOfAny('/', '\\') < 0
                && Path.GetExtension(source).ToUpperInvariant() is not (".CSV" or ".JSON" or ".INI" or ".YML" or ".YAML")
                && !string.IsNullOrWhiteSpace(source)
                ? OfNames(source.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
                : throw IoBenchException.NotFound(
                    FleetErrors.Inventory,
                    $"{source} does not exist: give an inventory (.csv, .json, .ini, .yml), or names of hosts with commas between them.",
                    source
                );
        try
        {
            if (new FileInfo(source).Length > MaxBytes)
                throw Wrong(source, null, "is too large for an inventory");
            return Parse(File.ReadAllText(source), source);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.Failure(FleetErrors.Inventory, $"{source} cannot be read: {e.Message}", source, e);
        }
    }

    /// <summary>Hosts of names, reached by ssh; <c>localhost</c> is a process here.</summary>
    public static IReadOnlyList<FleetHost> OfNames(IEnumerable<string> names) =>
        Check([.. names.Select(name => Make(new InventoryRow(name, 0), "inventory"))], "inventory");

    /// <summary>Hosts of a text.</summary>
    /// <param name="name">Name of the file: the extension says the format.</param>
    public static IReadOnlyList<FleetHost> Parse(string text, string name)
    {
        ArgumentNullException.ThrowIfNull(text);
        var rows = Path.GetExtension(name).ToUpperInvariant() switch
        {
            ".CSV" => InventoryTables.OfCsv(text, name),
            ".JSON" => InventoryTables.OfJson(text, name),
            ".YML" or ".YAML" => InventoryYaml.Read(text, name),
            _ when text.AsSpan().TrimStart().StartsWith("[{") || text.AsSpan().TrimStart().StartsWith("{") => InventoryTables.OfJson(
                text,
                name
            ),
            _ => InventoryIni.Read(text, name),
        };
        return Check([.. rows.Select(row => Make(row, name))], name);
    }

    internal static IoBenchException Wrong(string name, int? line, string what) =>
        IoBenchException.InvalidData(
            FleetErrors.Inventory,
            $"{name}{(line is > 0 ? FormattableString.Invariant($", line {line}") : "")}: {what}.",
            name
        );

    /// <summary>What is written of a host under any of the names that inventories use; all else are tags.</summary>
    private static FleetHost Make(InventoryRow row, string file)
    {
        var values = new Dictionary<string, string>(row.Values, StringComparer.OrdinalIgnoreCase);
        string? Take(params string[] names)
        {
            string? found = null;
            foreach (var name in names)
                if (values.Remove(name, out var value) && value.Trim().Length > 0)
                    found ??= value.Trim();
            return found;
        }
        var host = row.Host.Trim();
        if (host.Length == 0 || host.Any(c => char.IsControl(c) || char.IsWhiteSpace(c)) || host[0] == '-')
            throw Wrong(file, row.Line, $"'{SafeText.Escape(row.Host)}' is not the name of a host");
        var address = Take("address", "ansible_host", "ansible_ssh_host");
        if (address?.StartsWith('-') == true)
            throw Wrong(file, row.Line, $"'{address}' is not an address");
        var port = Take("port", "ansible_port", "ansible_ssh_port");
        if (
            port is not null
            && (!int.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out var number) || number is < 1 or > 65535)
        )
            throw Wrong(file, row.Line, $"'{port}' is not a port");
        var transport = Take("transport", "ansible_connection");
        return new FleetHost
        {
            Name = host,
            Address = address,
            Port = port is null ? null : int.Parse(port, CultureInfo.InvariantCulture),
            User = Take("user", "ansible_user", "ansible_ssh_user"),
            Transport = transport?.ToUpperInvariant() switch
            {
                null => host.Equals("localhost", StringComparison.OrdinalIgnoreCase) && address is null
                    ? FleetTransportKind.Local
                    : FleetTransportKind.Ssh,
                "SSH" or "SMART" or "PARAMIKO" => FleetTransportKind.Ssh,
                "LOCAL" => FleetTransportKind.Local,
                _ => throw Wrong(
                    file,
                    row.Line,
                    $"the transport '{transport}' is not one of ssh, local; for PowerShell remoting give sessions to Invoke-IoTest"
                ),
            },
            Path = Take("path", "iobench_path"),
            Size = Take("size", "iobench_size"),
            Rate = Take("rate", "iobench_rate"),
            Workload = Take("workload", "iobench_workload"),
            Program = Take("program", "iobench_program"),
            Tags = values
                .Where(pair => pair.Value.Trim().Length > 0 && !pair.Key.StartsWith("ansible_", StringComparison.OrdinalIgnoreCase))
                .ToDictionary(
                    pair => pair.Key.StartsWith("iobench_", StringComparison.OrdinalIgnoreCase) ? pair.Key[8..] : pair.Key,
                    pair => pair.Value.Trim(),
                    StringComparer.OrdinalIgnoreCase
                ),
        };
    }

    private static List<FleetHost> Check(List<FleetHost> hosts, string name)
    {
        if (hosts.Count == 0)
            throw Wrong(name, null, "it names no host");
        if (hosts.GroupBy(host => host.Name, StringComparer.OrdinalIgnoreCase).FirstOrDefault(group => group.Count() > 1) is { } twice)
            throw Wrong(name, null, $"{twice.Key} is there {twice.Count()} times: give each host a name of its own");
        if (
            hosts
                .Where(host => host.Path is not null)
                .GroupBy(host =>
                    (
                        host.Transport,
                        Place: host.Transport == FleetTransportKind.Local ? "" : $"{host.Address ?? host.Name}:{host.Port ?? 22}",
                        host.Path
                    )
                )
                .FirstOrDefault(group => group.Count() > 1) is
            { } same
        )
            throw Wrong(
                name,
                null,
                $"{string.Join(" and ", same.Select(host => host.Name))} are one place and test one file, {same.Key.Path}: give each its own path"
            );
        return hosts;
    }
}

/// <summary>A host as an inventory has it.</summary>
/// <param name="Host">Its name.</param>
/// <param name="Line">Where it stands, from 1; 0 = nowhere.</param>
internal sealed record InventoryRow(string Host, int Line)
{
    /// <summary>What is said of it.</summary>
    public Dictionary<string, string> Values { get; init; } = new(StringComparer.OrdinalIgnoreCase);
}
