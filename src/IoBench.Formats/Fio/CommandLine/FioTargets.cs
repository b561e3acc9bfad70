using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioTestMapper
{
    /// <summary>Creates the targets of a job. IsPool is true if the threads of the job share all targets.</summary>
    internal static (List<IoTargetSpecification> Targets, bool IsPool) CreateTargets(FioJobDefinition section, int clones)
    {
        var files = section.Options.Files;
        var each = section.GetNumber("nrfiles", 1, 10_000) ?? 1;
        var isNamed = files.Count > 0;
        if (!isNamed)
        {
            if (each > 1 && clones > 1)
                throw section.CreateNotSupportedError(
                    "several files for each of several clones are not offered: name the files, or write the clones as jobs."
                );
            files = CreateFileNames(section, clones, each);
        }
        // fio resolves names without a folder in its directory.
        else if (section.Options["directory"] is { Length: > 0 } directory)
            files = [.. files.Select(file => Path.Combine(directory, file))];
        // fio's size of a job is the total of all its files.
        var parts = isNamed ? files.Count : each;
        var (size, offset) = (GetFileSize(section, parts), section.GetSize("offset") ?? 0);
        var targets = files
            .Select(file => new IoTargetSpecification(file)
            {
                BaseOffset = offset,
                FileSize = size + offset,
                MaxOffset = size is not null && offset > 0 ? size + offset : null,
            })
            .ToList();
        return (targets, parts > 1);
    }

    private static List<string> CreateFileNames(FioJobDefinition section, int clones, int each)
    {
        var names = new List<string>();
        for (var clone = 0; clone < clones; clone++)
        {
            for (var file = 0; file < each; file++)
                names.Add(
                    Path.Combine(
                        section.Options["directory"] ?? "",
                        string.Create(CultureInfo.InvariantCulture, $"{section.Name}.{clone}.{file}")
                    )
                );
        }
        return names;
    }

    private static long? GetFileSize(FioJobDefinition section, int parts)
    {
        foreach (var name in (string[])["filesize", "size"])
        {
            if (section.Options[name] is not { } text)
                continue;
            if (text.EndsWith('%') || text.EndsWith('z') || text.Contains('-', StringComparison.Ordinal))
                throw section.CreateNotSupportedError($"{name}={text} is not offered; a size in bytes is.");
            return name == "size" ? section.GetSize(name) / parts : section.GetSize(name);
        }
        return null;
    }
}
