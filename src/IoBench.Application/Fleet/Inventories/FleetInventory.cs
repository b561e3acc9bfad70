using System.Globalization;
using System.Text.Json;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Reads the hosts of a fleet from a file (CSV, JSON, Ansible INI, or the output of <c>ansible-inventory --list</c>) or from
/// names.</summary>
public static class FleetInventory
{
    /// <summary>Maximum number of hosts of an inventory, also of one range in it.</summary>
    internal const int MaxHosts = 10_000;

    private const long MaxBytes = 16 << 20;

    /// <summary>Reads hosts from a file, or from names separated by commas.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.Inventory</c>: the file cannot be read or is invalid.</exception>
    public static IReadOnlyList<FleetHost> Read(string source)
    {
        ArgumentNullException.ThrowIfNull(source);
        if (!File.Exists(source))
            return
                source.AsSpan().IndexOfAny('/', '\\') < 0
                && Path.GetExtension(source).ToUpperInvariant() is not (".CSV" or ".JSON" or ".INI" or ".YML" or ".YAML")
                && !string.IsNullOrWhiteSpace(source)
                ? FromNames(source.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
                : throw IoBenchException.NotFound(
                    FleetErrorIds.Inventory,
                    $"{source} does not exist. Specify an inventory (.csv, .json, .ini), or host names separated by commas.",
                    source
                );
        try
        {
            if (new FileInfo(source).Length > MaxBytes)
                throw InvalidData(source, null, "the file is too large for an inventory");
            return Parse(File.ReadAllText(source), source);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.Failure(FleetErrorIds.Inventory, $"{source} cannot be read: {e.Message}", source, e);
        }
    }

    /// <summary>Creates hosts from names. They are reached by ssh; <c>localhost</c> is a process on this computer.</summary>
    public static IReadOnlyList<FleetHost> FromNames(IEnumerable<string> names) =>
        CheckHosts([.. names.Select((name, i) => CreateHost(new InventoryRow(name, null, i + 1), "inventory"))], "inventory");

    /// <summary>Parses the text of an inventory.</summary>
    /// <param name="name">File name; its extension determines the format.</param>
    public static IReadOnlyList<FleetHost> Parse(string text, string name)
    {
        ArgumentNullException.ThrowIfNull(text);
        var rows = Path.GetExtension(name).ToUpperInvariant() switch
        {
            ".CSV" => ReadCsv(text, name),
            ".JSON" => ReadJson(text, name),
            ".YML" or ".YAML" => throw CreateYamlError(name),
            _ when text.AsSpan().TrimStart().StartsWith("[{") || text.AsSpan().TrimStart().StartsWith("{") => ReadJson(text, name),
            _ when text.StartsWith("---", StringComparison.Ordinal) => throw CreateYamlError(name),
            _ => new AnsibleIniReader(name).Read(text),
        };
        return CheckHosts([.. rows.Take(MaxHosts + 1).Select(row => CreateHost(row, name))], name);
    }

    internal static IoBenchException InvalidData(string name, int? line, IoMessage what) =>
        IoBenchException.Refused(
            FleetErrorIds.Inventory,
            $"{name}{(line is { } number ? (IoMessage)$", line {number}" : "")}: {what}.",
            name
        );

    private static IoBenchException CreateRowError(string name, InventoryRow row, IoMessage what) =>
        InvalidData(row.Line is null && row.Number is { } number ? $"{name}, host {number}" : name, row.Line, what);

    private static IoBenchException CreateYamlError(string name) =>
        InvalidData(name, null, $"IoBench cannot read YAML. Run ansible-inventory -i {name} --list > hosts.json, and use hosts.json");

    internal static IoBenchException CreateTooManyError(string name, int? line) =>
        InvalidData(name, line, $"an inventory can have at most {MaxHosts:#,##0} hosts. Use smaller ranges, or several inventories");

    /// <summary>Creates a host from a row. All names that inventories use for a property are known; other columns become tags.</summary>
    private static FleetHost CreateHost(InventoryRow row, string file)
    {
        var values = new Dictionary<string, string>(row.Variables, StringComparer.OrdinalIgnoreCase);
        string? Take(Func<string, IoMessage?>? findError, params string[] names)
        {
            string? found = null;
            foreach (var name in names)
                if (values.Remove(name, out var value) && value.Trim().Length > 0)
                    found ??= value.Trim();
            return found is not null && findError?.Invoke(found) is { } error ? throw CreateRowError(file, row, error) : found;
        }
        var host = row.Host.Trim();
        if (InventoryNames.FindHostError(host) is { } error)
            throw CreateRowError(file, row, error);
        var address = Take(InventoryNames.FindAddressError, "address", "ansible_host", "ansible_ssh_host");
        var user = Take(InventoryNames.FindUserError, "user", "ansible_user", "ansible_ssh_user");
        var path = Take(InventoryNames.FindPathError, "path", "iobench_path");
        var program = Take(InventoryNames.FindPathError, "program", "iobench_program");
        var port = Take(FindPortError, "port", "ansible_port", "ansible_ssh_port");
        var transport = Take(null, "transport", "ansible_connection");
        return new FleetHost
        {
            Name = host,
            Address = address,
            Port = port is null ? null : int.Parse(port, CultureInfo.InvariantCulture),
            User = user,
            IsLocal = transport?.ToUpperInvariant() switch
            {
                null => host.Equals("localhost", StringComparison.OrdinalIgnoreCase) && address is null,
                "SSH" or "SMART" or "PARAMIKO" => false,
                "LOCAL" => true,
                _ => throw CreateRowError(
                    file,
                    row,
                    $"the transport must be ssh or local, not '{transport}'. For PowerShell remoting, use Invoke-IoTest -Session"
                ),
            },
            Path = path,
            Size = Take(null, "size", "iobench_size"),
            Rate = Take(null, "rate", "iobench_rate"),
            Workload = Take(null, "workload", "iobench_workload"),
            Program = program,
            Tags = values
                .Where(pair => pair.Value.Trim().Length > 0 && !pair.Key.StartsWith("ansible_", StringComparison.OrdinalIgnoreCase))
                .Select(pair =>
                    (
                        Name: pair.Key.StartsWith("iobench_", StringComparison.OrdinalIgnoreCase) ? pair.Key[8..] : pair.Key,
                        IsOwn: pair.Key.StartsWith("iobench_", StringComparison.OrdinalIgnoreCase),
                        Value: pair.Value.Trim()
                    )
                )
                // The variable of IoBench is more specific than a variable of the same name without the prefix.
                .OrderByDescending(tag => tag.IsOwn)
                .DistinctBy(tag => tag.Name, StringComparer.OrdinalIgnoreCase)
                .ToDictionary(tag => tag.Name, tag => tag.Value, StringComparer.OrdinalIgnoreCase),
        };
    }

    private static IoMessage? FindPortError(string port) =>
        int.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number is >= 1 and <= 65535
            ? null
            : $"'{port}' is not a valid port. Use a number from 1 to 65535";

    private static List<FleetHost> CheckHosts(List<FleetHost> hosts, string name)
    {
        if (hosts.Count == 0)
            throw InvalidData(name, null, "the inventory contains no hosts");
        if (hosts.Count > MaxHosts)
            throw CreateTooManyError(name, null);
        if (hosts.GroupBy(host => host.Name, StringComparer.OrdinalIgnoreCase).FirstOrDefault(group => group.Count() > 1) is { } twice)
            throw InvalidData(name, null, $"{twice.Key} appears {twice.Count()} times. Each host requires its own name");
        if (
            hosts
                .Where(host => host.Path is not null)
                .GroupBy(host => (Place: host.IsLocal ? "" : $"{host.Address ?? host.Name}:{host.Port ?? 22}", host.Path))
                .FirstOrDefault(group => group.Count() > 1) is
            { } same
        )
            throw InvalidData(
                name,
                null,
                $"{string.Join(" and ", same.Select(host => host.Name))} are the same computer and test the same file, {same.Key.Path}. Use a separate path for each host"
            );
        return hosts;
    }

    private static readonly string[] s_nameColumns = ["name", "host", "inventory_hostname", "computername"];

    private static IEnumerable<InventoryRow> ReadCsv(string text, string name)
    {
        var records = new CsvRecordReader(new StringReader(text.TrimStart('\uFEFF')), name);
        if (ReadRecord() is not { } columns)
            yield break;
        var place = columns.FindIndex(column => s_nameColumns.Contains(column, StringComparer.OrdinalIgnoreCase));
        if (place < 0)
            throw InvalidData(name, records.RecordLine, "the column 'name' is missing");
        while (ReadRecord() is { } fields)
        {
            if (fields.Count > columns.Count)
                throw InvalidData(
                    name,
                    records.RecordLine,
                    $"the row has {fields.Count} values, but the header has {NumberFormat.Pluralize(columns.Count, "column")}"
                );
            var row = new InventoryRow(fields.ElementAtOrDefault(place) ?? "", records.RecordLine);
            foreach (var (column, field) in columns.Zip(fields).Where((_, column) => column != place))
                row.Variables[column] = field;
            yield return row;
        }

        List<string>? ReadRecord()
        {
            try
            {
                while (records.Read() is { } fields)
                    if (!fields[0].TrimStart().StartsWith('#') && (fields.Count > 1 || fields[0].Trim().Length > 0))
                        return [.. fields.Select(field => field.Trim())];
                return null;
            }
            catch (IoBenchException)
            {
                throw InvalidData(name, records.RecordLine, "a closing quotation mark is missing, or a value is too long");
            }
        }
    }

    private static IReadOnlyList<InventoryRow> ReadJson(string text, string name)
    {
        try
        {
            using var document = JsonDocument.Parse(
                text,
                new JsonDocumentOptions { AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip }
            );
            var root = document.RootElement;
            if (root.ValueKind == JsonValueKind.Object && root.TryGetProperty("_meta", out var meta))
                return [.. ReadAnsibleList(root, meta, name).Take(MaxHosts + 1)];
            if (root.ValueKind == JsonValueKind.Object && root.TryGetProperty("hosts", out var inner))
                root = inner;
            return root.ValueKind == JsonValueKind.Array
                ? [.. root.EnumerateArray().Take(MaxHosts + 1).Select((item, i) => CreateRow(item, name, i + 1))]
                : throw InvalidData(name, null, "the JSON is neither a list of hosts nor an object with a list named 'hosts'");
        }
        catch (JsonException e)
        {
            throw InvalidData(name, (int?)(e.LineNumber + 1), "the content is not JSON");
        }
    }

    /// <summary>Reads the output of <c>ansible-inventory --list</c>. It has all variables of a host, also secrets, so only the variables of
    /// IoBench and Ansible are used.</summary>
    private static IEnumerable<InventoryRow> ReadAnsibleList(JsonElement root, JsonElement meta, string name)
    {
        var seen = new HashSet<string>(StringComparer.Ordinal);
        foreach (var group in root.EnumerateObject().Where(group => group.Value.ValueKind == JsonValueKind.Object))
        {
            if (group.Value.TryGetProperty("vars", out _))
                throw InvalidData(
                    name,
                    null,
                    $"the group {group.Name} has its own variables, which IoBench does not read. Run ansible-inventory --list without --export"
                );
            foreach (var host in GetHosts(group.Value).Where(seen.Add))
            {
                var row = new InventoryRow(host, null, seen.Count);
                if (group.Name is not ("all" or "ungrouped"))
                    row.Variables["group"] = group.Name;
                foreach (var (key, value) in GetVariables(host))
                    row.Variables[key] = value;
                yield return row;
            }
        }

        IEnumerable<string> GetHosts(JsonElement group) =>
            group.TryGetProperty("hosts", out var hosts) && hosts.ValueKind == JsonValueKind.Array
                ? hosts.EnumerateArray().Select(host => host.ToString())
                : [];

        IEnumerable<(string Key, string Value)> GetVariables(string host) =>
            meta.ValueKind == JsonValueKind.Object
            && meta.TryGetProperty("hostvars", out var all)
            && all.ValueKind == JsonValueKind.Object
            && all.TryGetProperty(host, out var values)
            && values.ValueKind == JsonValueKind.Object
                ? values
                    .EnumerateObject()
                    .Where(pair =>
                        pair.Name == "array"
                        || pair.Name.StartsWith("iobench_", StringComparison.Ordinal)
                        || pair.Name.StartsWith("ansible_", StringComparison.Ordinal)
                    )
                    .Select(pair => (pair.Name, pair.Value.ToString()))
                : [];
    }

    private static InventoryRow CreateRow(JsonElement item, string name, int number)
    {
        if (item.ValueKind == JsonValueKind.String)
            return new InventoryRow(item.GetString()!, null, number);
        if (item.ValueKind != JsonValueKind.Object)
            throw InvalidData($"{name}, host {number}", null, "a host must be a name or a JSON object");
        var values = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var property in item.EnumerateObject())
        {
            if (property is { Name: "tags", Value.ValueKind: JsonValueKind.Object })
                foreach (var tag in property.Value.EnumerateObject())
                    values[tag.Name] = tag.Value.ToString();
            else
                values[property.Name] = property.Value.ValueKind == JsonValueKind.Null ? "" : property.Value.ToString();
        }
        var host =
            s_nameColumns.Select(key => values.Remove(key, out var value) ? value : null).OfType<string>().FirstOrDefault()
            ?? throw InvalidData($"{name}, host {number}", null, "a host has no name");
        return new InventoryRow(host, null, number) { Variables = values };
    }
}

/// <param name="Line">Line number, starting at 1; null if unknown.</param>
/// <param name="Number">Number of the host in a list without line numbers, starting at 1; null if the line is known.</param>
internal sealed record InventoryRow(string Host, int? Line, int? Number = null)
{
    public Dictionary<string, string> Variables { get; init; } = new(StringComparer.OrdinalIgnoreCase);
}
