using System.Runtime.Versioning;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public sealed class RunJournalTests : IDisposable
{
    private readonly TemporarySuiteFolder _folder = new();
    private readonly List<IoWarning> _warnings = [];

    private string Folder => _folder.GetPath("state");

    public void Dispose() => _folder.Dispose();

    private static IoTestSpecification CreateTest(int outstanding) =>
        new() { Targets = [new IoTargetSpecification("t.dat")], OutstandingIO = outstanding };

    private static IoTestResult CreateResult(int outstanding) =>
        new()
        {
            Source = IoTestResult.OwnSource,
            Status = IoResultStatus.Complete,
            OutstandingIO = outstanding,
            IOPS = 1,
            Specification = CreateTest(outstanding),
        };

    private RunJournal CreateJournal(params IoTestResult[] earlier) => RunJournal.Create(Folder, _warnings.Add, earlier)!;

    private int?[] ReadLastOutstanding() => [.. ResultReader.ReadFile(RunJournal.FindLastFile(Folder)).Select(r => r.OutstandingIO)];

    [Fact]
    public void Journal_keeps_only_the_last_run()
    {
        using (var first = CreateJournal())
            first.Add(CreateResult(1));
        Assert.Equal([1], ReadLastOutstanding());
        using (var second = CreateJournal())
        {
            // A journal without results does not replace another one.
            Assert.Equal([1], ReadLastOutstanding());
            second.Add(CreateResult(2));
            Assert.Equal([2], ReadLastOutstanding());
            second.Add(CreateResult(3));
        }
        Assert.Equal([2, 3], ReadLastOutstanding());
        Assert.Single(Directory.GetFiles(Folder));
        using (CreateJournal()) { }
        Assert.Equal([2, 3], ReadLastOutstanding());
        Assert.Empty(_warnings);
    }

    [Fact]
    public void Concurrent_runs_have_separate_journals()
    {
        using var first = CreateJournal();
        first.Add(CreateResult(1));
        using (var second = CreateJournal())
        {
            second.Add(CreateResult(2));
            first.Add(CreateResult(3));
            Assert.Equal(2, Directory.GetFiles(Folder).Length);
            Assert.Equal([1, 3], ResultReader.ReadFile(first.Path).Select(r => r.OutstandingIO!.Value));
        }
        Assert.Equal([2], ReadLastOutstanding());
    }

    [Fact]
    public void Resume_continues_the_last_run_with_the_same_tests()
    {
        using (var first = CreateJournal())
            first.Add(CreateResult(1));
        using (var again = RunJournal.Resume(Folder, [CreateTest(1), CreateTest(2)], _warnings.Add))
        {
            Assert.Equal([1], again.Results.Select(r => r.OutstandingIO));
            again.Add(CreateResult(2));
        }
        Assert.Equal([1, 2], ReadLastOutstanding());
        var error = Assert.Throws<IoBenchException>(() => RunJournal.Resume(Folder, [CreateTest(8)], _warnings.Add));
        Assert.Equal("IoBench.NothingToResume", error.ErrorId);
        Assert.Equal([1, 2], ReadLastOutstanding());
    }

    [Fact]
    public void Failed_resume_unlocks_the_journal()
    {
        using (var first = CreateJournal())
            first.Add(CreateResult(1));
        var longer = CreateTest(1);
        longer.Duration *= 2;
        Assert.Equal(
            "IoBench.ResumeDiffers",
            Assert.Throws<IoBenchException>(() => RunJournal.Resume(Folder, [longer, CreateTest(2)], _warnings.Add)).ErrorId
        );
        using var again = RunJournal.Resume(Folder, [CreateTest(1), CreateTest(2)], _warnings.Add);
        Assert.Single(again.Results);
    }

    [Fact]
    public void Active_run_cannot_be_resumed()
    {
        using var first = CreateJournal();
        first.Add(CreateResult(1));
        Assert.Equal(
            "IoBench.OutputInUse",
            Assert.Throws<IoBenchException>(() => RunJournal.Resume(Folder, [CreateTest(1)], _warnings.Add)).ErrorId
        );
    }

    [Fact]
    public void Journal_contains_earlier_results_of_the_run()
    {
        using (var journal = CreateJournal(CreateResult(1), CreateResult(2)))
            journal.Add(CreateResult(3));
        Assert.Equal([1, 2, 3], ReadLastOutstanding());
    }

    [Fact]
    public void Missing_journal_throws_with_an_action()
    {
        Assert.Equal("IoBench.NoJournal", Assert.Throws<IoBenchException>(() => RunJournal.FindLastFile(Folder)).ErrorId);
        Assert.Contains(JournalFolder.Variable, Assert.Throws<IoBenchException>(() => RunJournal.FindLastFile(null)).Message);
        Assert.Null(RunJournal.Create(null, _warnings.Add, []));
    }

    [Fact]
    public void Journal_folder_that_cannot_be_created_is_a_warning()
    {
        File.WriteAllText(Folder, "a file is in the way");
        Assert.Null(RunJournal.Create(Folder, _warnings.Add, []));
        Assert.StartsWith(
            "IoBench could not write the journal of this run: ",
            Assert.Single(_warnings).ToString(),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("off")]
    [InlineData("0")]
    [InlineData(" No ")]
    public void Journal_can_be_disabled(string setting) => Assert.Null(JournalFolder.FindFolder(setting));

    [Fact]
    public void Journal_folder_is_the_setting_or_the_user_state_folder()
    {
        Assert.Equal(Path.GetFullPath("here"), JournalFolder.FindFolder("here"));
        Assert.EndsWith("iobench", JournalFolder.FindFolder(null)!, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void Files_of_the_user_in_the_journal_folder_stay()
    {
        Directory.CreateDirectory(Folder);
        string[] names =
        [
            "run-1-baseline.json",
            "run-20200101T000000000-1-abcd.json",
            "fleet-1.json",
            "fleet-1.jsonl",
            "iobench-journal-run-00000001.json",
            "iobench-journal-run-baseline.json",
            "iobench-journal-fleet-1.json",
            "iobench-journal-fleet-1.jsonl",
        ];
        foreach (var name in names)
            File.WriteAllText(Path.Combine(Folder, name), "[]\n");
        using (var journal = CreateJournal())
            journal.Add(CreateResult(1));
        using (var spool = ResultSpool.Create("g", Folder))
            spool.Add("{}"u8, ..);
        Assert.All(names, name => Assert.Equal("[]\n", File.ReadAllText(Path.Combine(Folder, name))));
        Assert.Equal([1], ReadLastOutstanding());
        Assert.Equal(names.Length + 1, Directory.GetFiles(Folder).Length);
    }

    [LinuxFact]
    public void Link_with_the_name_of_a_journal_is_not_followed()
    {
        using (var journal = CreateJournal())
            journal.Add(CreateResult(1));
        var kept = _folder.GetPath("kept.json");
        File.Copy(RunJournal.FindLastFile(Folder), kept);
        File.CreateSymbolicLink(JournalFolder.GetRunPath(Folder, 7), kept);
        Assert.Equal(JournalFolder.GetRunPath(Folder, 1), RunJournal.FindLastFile(Folder));
        using (var journal = CreateJournal())
            journal.Add(CreateResult(2));
        Assert.Equal([2], ReadLastOutstanding());
        Assert.True(File.Exists(kept) && File.Exists(JournalFolder.GetRunPath(Folder, 7)));
    }

    [Fact]
    public void Last_run_is_the_last_one_even_if_the_clock_was_set_back()
    {
        using var active = CreateJournal();
        active.Add(CreateResult(1));
        File.SetLastWriteTimeUtc(active.Path, DateTime.UtcNow.AddYears(1));
        using (var last = CreateJournal())
            last.Add(CreateResult(2));
        Assert.Equal([2], ReadLastOutstanding());
    }

    [Fact]
    public void Empty_journal_of_a_killed_run_is_removed()
    {
        Directory.CreateDirectory(Folder);
        File.WriteAllText(JournalFolder.GetRunPath(Folder, 3), "");
        Assert.Equal("IoBench.NoJournal", Assert.Throws<IoBenchException>(() => RunJournal.FindLastFile(Folder)).ErrorId);
        using var journal = CreateJournal();
        Assert.Equal(JournalFolder.GetRunPath(Folder, 4), journal.Path);
        journal.Add(CreateResult(1));
        Assert.Equal([journal.Path], Directory.GetFiles(Folder));
    }

    [Fact]
    public void Journal_is_a_result_file_with_a_first_line_of_its_own()
    {
        using var journal = CreateJournal();
        journal.Add(CreateResult(1));
        journal.Add(CreateResult(2));
        Assert.Equal(JsonFormat.JournalHeader, File.ReadLines(journal.Path).First());
        Assert.Equal([1, 2], ResultReader.ReadFile(journal.Path).Select(r => r.OutstandingIO!.Value));
    }

    [RequiresRootFact]
    public void Journal_folder_of_another_user_is_not_used()
    {
        Directory.CreateDirectory(Folder);
        OtherUser.TakeOwnership(Folder);
        foreach (var folder in new[] { Folder, Path.Combine(Folder, "below", "state") })
        {
            _warnings.Clear();
            var found = JournalFolder.FindFolder(folder, _warnings.Add);
            Assert.NotEqual(folder, found);
            Assert.NotNull(found);
            Assert.Equal(
                $"{folder} belongs to another user, so the journal is in {found}.",
                Assert.Single(_warnings, warning => warning.Code == WarningCodes.JournalMoved).ToString()
            );
        }
    }

    [LinuxFact]
    [UnsupportedOSPlatform("windows")]
    public void Journal_files_are_open_to_their_user_only()
    {
        using var journal = CreateJournal();
        journal.Add(CreateResult(1));
        using var spool = ResultSpool.Create("g", Folder);
        var files = Directory.GetFiles(Folder);
        Assert.Equal(2, files.Length);
        Assert.All(files, file => Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file)));
    }

    [LinuxFact]
    [UnsupportedOSPlatform("windows")]
    public void Journal_folder_is_open_to_its_user_only()
    {
        using (CreateJournal()) { }
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(Folder));
    }
}
