using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads DiskSpd's XML profiles (-X). Unknown and unsupported elements and document type declarations are errors.</summary>
public static class DiskSpdProfileReader
{
    /// <param name="targets">Paths for the template targets <c>*1</c>, <c>*2</c>, …. A template target without a path keeps its name.</param>
    /// <exception cref="IoBenchException">The text is not a valid and supported profile.</exception>
    public static IReadOnlyList<IoTestSpecification> Read(TextReader reader, string? sourceFile, IReadOnlyList<string>? targets = null)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return Read(reader, sourceFile, targets ?? [], mustBeWhole: false).Specifications;
    }

    /// <summary>A result, which contains a profile, is not a profile.</summary>
    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        var profile = head.IndexOf("<Profile", StringComparison.Ordinal);
        return profile >= 0 && !head.AsSpan(0, profile).Contains("<Results>", StringComparison.Ordinal);
    }

    internal static DiskSpdProfile ReadProfile(string path, IReadOnlyList<string> targets, bool mustBeWhole) =>
        TextInput.ReadText(path, reader => Read(reader, path, targets, mustBeWhole));

    private static DiskSpdProfile Read(TextReader reader, string? sourceFile, IReadOnlyList<string> targets, bool mustBeWhole)
    {
        var input = new DiskSpdXmlInput(new DiskSpdXmlText(reader, sourceFile), sourceFile);
        while (input.MoveToElement())
        {
            if (input.Name != "Profile")
                continue;
            var element = input.ReadElement();
            if (input.HasEnded)
                throw CreateInvalidError(sourceFile, input.Line, "<Profile> is incomplete or malformed");
            var profile = new DiskSpdProfile(
                (line, what, isOffered) =>
                    throw (isOffered ? CreateInvalidError(sourceFile, line, what) : CreateNotSupportedError(sourceFile, line, what))
            ).Read(element);
            if (profile.Specifications.Count == 0)
                throw CreateInvalidError(sourceFile, element.Line, "the profile has no <TimeSpan>");
            foreach (var specification in profile.Specifications)
                CompleteSpecification(specification, sourceFile, element.Line, targets, mustBeWhole);
            return profile;
        }
        throw CreateInvalidError(sourceFile, 1, "the file has no <Profile>");
    }

    private static void CompleteSpecification(
        IoTestSpecification specification,
        string? sourceFile,
        int line,
        IReadOnlyList<string> targets,
        bool mustBeWhole
    )
    {
        specification.GetOrAddOrigin().SourceFile = sourceFile;
        specification.GetOrAddOrigin().SourceLine = line;
        if (specification.Targets.Count == 0)
            throw CreateInvalidError(sourceFile, line, "a <TimeSpan> has no <Target>");
        specification.GetOrAddOrigin().DiskSpd!.CreateFiles = specification.Targets.TrueForAll(t => t.FileSize is not null);
        specification.ThreadTimelines = specification.GetOrAddOrigin().DiskSpd!.GatherIops;
        foreach (var target in specification.Targets)
        {
            if (target.Path.StartsWith('*'))
                target.Path = SubstituteTemplate(target.Path, sourceFile, line, targets, mustBeWhole);
            target.Path = DiskSpdCommandLine.GetDevicePath(target.Path) ?? target.Path;
        }
    }

    private static string SubstituteTemplate(string template, string? sourceFile, int line, IReadOnlyList<string> targets, bool mustBeWhole)
    {
        var number = DiskSpdCommandLine.ParseNumber(template.AsSpan(1), out var isPlain);
        if (!isPlain || number < 1)
            throw CreateInvalidError(sourceFile, line, $"the template target '{template}' has no number. Use *1, *2, and so on");
        if (number <= targets.Count)
            return targets[number - 1];
        return mustBeWhole
            ? throw IoBenchException.Usage(
                "IoBench.InvalidProfile",
                $"{sourceFile}: the template target '{template}' has no path. Specify {number} targets on the command line.",
                sourceFile
            )
            : template;
    }

    private static IoBenchException CreateInvalidError(string? sourceFile, int line, string what) =>
        IoBenchException.InvalidData("IoBench.InvalidProfile", $"{sourceFile ?? "The profile"} line {line}: {what}.", sourceFile);

    private static IoBenchException CreateNotSupportedError(string? sourceFile, int line, string what) =>
        IoBenchException.Usage("IoBench.NotSupported", $"{sourceFile ?? "The profile"} line {line}: {what}.", sourceFile);
}
