using System.Net.NetworkInformation;
using System.Text;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Removes names of hosts, users, and paths, which messages of the operating system can contain, so that a report can be
/// shared.</summary>
internal sealed partial class Anonymizer
{
    // Facts that describe storage but not its location. Devices, mount points, and mount options can contain paths, servers, and users.
    private static readonly string[] s_storageFacts =
    [
        "File system",
        "Model",
        "Bus",
        "Scheduler",
        "FUA",
        "Write cache",
        "Write-through",
        "Power protection",
        "Rotational",
        "Logical sector size",
        "Physical sector size",
        "Unbuffered I/O",
        "Unbuffered alignment",
        "Allocation unit",
        "Compressed",
        "Compression",
        "Encrypted",
        "Copy on write",
        "Sparse",
        "Device queue depth",
        "Largest request KB",
        "Volume size",
        "Volume free",
        "Thin provisioned",
        "Virtual disk",
        "Disks",
        "SMB",
        "Cluster shared volume",
        "Firmware",
        "Driver",
        "Integrity stream",
        "Filter",
        "Partition offset within a sector",
        "Optimal I/O size",
    ];

    private readonly List<(string Name, string Instead)> _names = [];

    public Anonymizer(string file)
    {
        AddName(file, "the test file");
        AddName(Path.GetDirectoryName(file), "the folder");
        AddName(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), "the user's folder");
        AddName(Environment.MachineName, "this computer");
        AddName(Environment.UserName, "the user");
        AddName(Environment.UserDomainName, "the domain");
        AddName(IPGlobalProperties.GetIPGlobalProperties().DomainName, "the domain");
    }

    internal Anonymizer(params (string Name, string Instead)[] names) => Array.ForEach(names, known => AddName(known.Name, known.Instead));

    public string Clean(string text)
    {
        foreach (var (name, instead) in _names)
            text = ReplaceName(text, name, instead);
        return GetPathRegex().Replace(text, _ => "(a path)");
    }

    public HostCheck Clean(HostCheck check) =>
        new(
            check.Finding with
            {
                What = Clean(check.Found),
                WhatToDo = check.WhatToDo is { } advice ? Clean(advice) : null,
                Evidence = [.. check.Finding.Evidence.Select(figure => figure with { Name = Clean(figure.Name) })],
            }
        );

    public Dictionary<string, string> GetStorageFacts(CheckedTarget target) =>
        s_storageFacts.Where(target.Facts.ContainsKey).ToDictionary(name => name, name => Clean(target.Facts[name]));

    public Dictionary<string, string> GetHostFacts() => HostFacts.All.ToDictionary(fact => fact.Key, fact => Clean(fact.Value));

    // Without a Regex, because a pattern that is created at run time would add the regex interpreter to the native program.
    private static string ReplaceName(string text, string name, string instead)
    {
        var rest = 0;
        StringBuilder? cleaned = null;
        for (var from = 0; text.IndexOf(name, from, StringComparison.OrdinalIgnoreCase) is >= 0 and var found; )
        {
            var end = found + name.Length;
            from = found + 1;
            if (found > 0 && IsWordCharacter(text[found - 1]) || end < text.Length && IsWordCharacter(text[end]))
                continue;
            (cleaned ??= new()).Append(text, rest, found - rest).Append(instead);
            rest = from = end + GetDomainRegex().Match(text, end).Length;
        }
        return cleaned is null ? text : cleaned.Append(text, rest, text.Length - rest).ToString();
    }

    private static bool IsWordCharacter(char letter) => char.IsLetter(letter) || char.IsNumber(letter) || letter == '_';

    // Short names occur within other words, and "root" and "/" identify nothing.
    private void AddName(string? name, string instead)
    {
        if (name?.TrimEnd('/', '\\') is { Length: > 2 } known && known != "root")
            _names.Add((known, instead));
    }

    // The domain after a host name belongs to the name.
    [GeneratedRegex(@"\G(?:\.[\w-]+\b)*")]
    private static partial Regex GetDomainRegex();

    // Matches other paths with at least two parts, except the system's own folders, which are the same everywhere. A part may contain
    // spaces if another part follows.
    [GeneratedRegex(
        @"(?<![\w.:/])(?!/(?:proc|sys|dev|etc)/)(?:/[\w.+-]+(?: [\w.+-]+)*(?=/)|/[\w.+-]+){2,}"
            + @"|\b[A-Za-z]:\\(?:[\w.$+-]+(?: [\w.$+-]+)*\\)*[\w.$+-]*|\\\\(?:[\w.$?+-]+(?: [\w.$+-]+)*\\)*[\w.$?+-]+"
    )]
    private static partial Regex GetPathRegex();
}
