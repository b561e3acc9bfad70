using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioMapper
{
    private const int MaxNotes = 1000;

    internal static CommandLineTests Map(IReadOnlyList<FioSection> sections, string? sourceFile, string? outputFile)
    {
        var tests = new List<IoTestSpecification>();
        var notes = new List<string>();
        var refused = new List<IoBenchException>();
        foreach (var group in Groups(sections))
        {
            try
            {
                foreach (var section in group)
                    FioRules.Check(section);
                var test = Test(group, text => Note(group[0], text));
                (test.Origin().SourceFile, test.Origin().SourceLine, test.Origin().OutputFile) = (sourceFile, group[0].Line, outputFile);
                test.Origin().CommandLine = CallOf(group, sourceFile);
                FioChecks.Set(test, group, Note);
                tests.Add(test);
                foreach (var section in group)
                    NoteRest(section);
            }
            catch (IoBenchException error)
            {
                refused.Add(error);
            }
        }
        return new CommandLineTests(tests, notes, refused);

        void Note(FioSection section, string text)
        {
            var where = section.Line is { } line
                ? string.Create(CultureInfo.InvariantCulture, $"{(sourceFile is null ? "" : sourceFile + " ")}line {line}, ")
                : "";
            var note = $"{where}job {section.Name}: {text}";
            if (notes.Count < MaxNotes && !notes.Contains(note))
                notes.Add(note);
        }

        void NoteRest(FioSection section)
        {
            foreach (
                var name in section.Options.Names.Where(name =>
                    !FioOptionNames.IsMapped(name) && !FioOptionNames.IsHarmless(name) && !FioRules.IsAboutChecks(name)
                )
            )
                Note(section, $"{name}{(section.Options[name] is { Length: > 0 } value ? "=" + value : "")} is not carried out");
        }
    }

    private static IEnumerable<List<FioSection>> Groups(IReadOnlyList<FioSection> sections)
    {
        var group = new List<FioSection>();
        foreach (var section in sections)
        {
            if (group.Count > 0 && section.Options.IsOn("stonewall"))
            {
                yield return group;
                group = [];
            }
            group.Add(section);
        }
        if (group.Count > 0)
            yield return group;
    }

    private static IoTestSpecification Test(List<FioSection> group, Action<string> note)
    {
        var test = new IoTestSpecification { Label = string.Join('+', group.Select(section => section.Name)), WarmUp = TimeSpan.Zero };
        SetTimes(test, group, note);
        test.Seed = Common(
            group,
            "randseed",
            section =>
                section.Options["randseed"] is not { } text ? 0UL
                : ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var seed) ? seed
                : throw section.Wrong($"randseed={text} is not a number.")
        );
        test.Backend = Common(group, "ioengine", BackendOf);
        FioPattern.Set(test, group[0], note);
        if (group.Count == 1)
        {
            SetSingle(test, group[0]);
            return test;
        }
        foreach (var section in group)
        {
            var pattern = new IoPattern();
            FioPattern.Set(pattern, section, note);
            var (targets, isPool) = FioTargets.Of(section, pattern.ThreadCount);
            if (isPool)
                throw section.NotOffered(
                    "several files in a job that runs beside others are not offered: let it run alone (stonewall), or make a job of each."
                );
            SetThreads(pattern, section, targets.Count);
            foreach (var target in targets)
            {
                (target.Pattern, target.Role) = (pattern.ClonePattern(), section.Name);
                test.Targets.Add(target);
            }
        }
        return test;
    }

    private static void SetSingle(IoTestSpecification test, FioSection section)
    {
        var (targets, isPool) = FioTargets.Of(section, test.ThreadCount);
        test.Targets.AddRange(targets);
        if (!isPool)
        {
            SetThreads(test, section, targets.Count);
            return;
        }
        // The threads of the job share all its files and keep the same number of I/Os outstanding.
        (test.SharedThreadPool, test.PoolOutstandingIO) = (true, test.OutstandingIO);
        test.TargetIops /= targets.Count;
        test.MaxBytesPerSecondPerThread /= targets.Count;
    }

    /// <summary>Gives each clone of a job without a file name its own file, as fio does.</summary>
    private static void SetThreads(IoPattern pattern, FioSection section, int targets)
    {
        if (section.Options.Files.Count > 0 || targets == 1)
            return;
        pattern.TargetIops /= targets;
        pattern.ThreadCount = 1;
    }

    private static void SetTimes(IoTestSpecification test, List<FioSection> group, Action<string> note)
    {
        var time = Common(
            group,
            "runtime",
            section =>
                section.Time("runtime", TimeSpan.FromSeconds(1)) is { } runtime && runtime > TimeSpan.Zero ? runtime : (TimeSpan?)null
        );
        test.WarmUp = Common(group, "ramp_time", section => section.Time("ramp_time", TimeSpan.FromSeconds(1)) ?? TimeSpan.Zero);
        if (time is not null)
            test.Duration = time.Value;
        if (time is null)
            note(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"it has no runtime: fio ends when its size is done, this test after {test.Duration.TotalSeconds:0} s"
                )
            );
        else if (!group[0].Options.IsOn("time_based"))
            note("fio may end before its runtime, when its size is done: this test runs for all of it");
    }

    private static T Common<T>(List<FioSection> group, string name, Func<FioSection, T> value)
    {
        var first = value(group[0]);
        foreach (var section in group)
        {
            if (!EqualityComparer<T>.Default.Equals(value(section), first))
                throw section.NotOffered($"{name} differs from that of {group[0].Name}, which runs at the same time.");
        }
        return first;
    }

    private static string BackendOf(FioSection section)
    {
        var engine = section.Options.Engine;
        if (FioEngines.BackendOf(engine) is { } backend)
            return backend;
        if (
            engine is null
            || (
                FioOptions.IsSynchronous(engine)
                && engine is not ("mmap" or "splice" or "ftruncate" or "falloc" or "e4defrag" or "filecreate" or "filestat" or "filedelete")
            )
        )
            return BackendCatalog.Auto;
        throw section.NotOffered(
            $"ioengine={engine} is not offered; io_uring, libaio, windowsaio, posixaio, psync and its like, and null are."
        );
    }

    private static string CallOf(List<FioSection> group, string? sourceFile) =>
        sourceFile is null
            ? "fio "
                + string.Join(
                    ' ',
                    group.Select(section => $"{CommandLineWords.Quote("--name=" + section.Name)} {section.Options.CommandLine}")
                )
            : $"fio {CommandLineWords.Quote(sourceFile)} "
                + string.Join(' ', group.Select(section => CommandLineWords.Quote("--section=" + section.Name)));
}
