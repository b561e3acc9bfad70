using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class SuiteApprovalTests : IDisposable
{
    private readonly TemporarySuiteFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private static IoTestSpecification CreateTest(int writes, params string[] paths) =>
        new()
        {
            Targets = [.. paths.Select(path => new IoTargetSpecification(path))],
            WritePercent = writes,
            FileSize = 1 << 20,
            Duration = TimeSpan.FromMilliseconds(50),
            WarmUp = TimeSpan.Zero,
        };

    [Fact]
    public void New_file_is_listed_once_with_its_changes()
    {
        var plan = new[] { CreateTest(0, _folder.Path), CreateTest(100, _folder.Path), CreateTest(0, _folder.GetPath("iobench.dat")) };
        plan[1].FileSize = 4 << 20;
        var approval = SuiteApproval.Create(plan, new SuiteSettings(), front: null);
        Assert.Equal(plan, approval.Tests);
        var target = Assert.Single(approval.Targets);
        Assert.Equal(4L << 20, target.BytesToMake);
        Assert.Equal(4L << 20, approval.Estimate.BytesToMake);
        var group = approval.Groups[0];
        Assert.Equal([_folder.GetPath("iobench.dat")], group.Paths);
        Assert.Equal("create a test file of 4 MB, run 2 tests, 1 of them with writes, about 1 second", group.Action);
        Assert.Empty(Directory.GetFiles(_folder.Path));
        approval.ExcludeGroup(group);
        Assert.Equal([plan[2]], approval.Tests);
    }

    [Fact]
    public void Refused_file_excludes_its_tests_and_is_listed_once()
    {
        var foreign = _folder.WriteOtherFile("mine.dat");
        var ours = _folder.GetPath("t.dat");
        var plan = new[]
        {
            CreateTest(100, foreign),
            CreateTest(50, foreign),
            CreateTest(0, foreign),
            CreateTest(100, ours),
            CreateTest(100, ours, foreign),
        };
        var approval = SuiteApproval.Create(plan, new SuiteSettings(), front: null);
        Assert.Equal([plan[2], plan[3]], approval.Tests);
        var refusal = Assert.Single(approval.Refusals);
        Assert.Equal(("IoBench.ForeignFile", foreign), (refusal.Error.ErrorId, refusal.Path));
    }

    [Fact]
    public void Confirmation_applies_to_one_file()
    {
        var (one, two) = (_folder.WriteOtherFile("one.dat"), _folder.WriteOtherFile("two.dat"));
        var plan = new[] { CreateTest(100, one), CreateTest(100, two), CreateTest(50, one) };
        var front = new RecordingSuiteFront { Answer = question => question.Path == one ? TargetAnswer.Yes : TargetAnswer.No };
        var approval = SuiteApproval.Create(plan, new SuiteSettings(), front);
        Assert.Equal(
            [(TargetQuestionKind.Overwrite, one), (TargetQuestionKind.Overwrite, two)],
            front.Questions.Select(q => (q.Kind, q.Path))
        );
        Assert.EndsWith("Its content will be lost. Overwrite the file?", front.Questions[0].Text.ToString(), StringComparison.Ordinal);
        Assert.Equal([plan[0], plan[2]], approval.Tests);
        Assert.Equal([one], approval.GetOptions(plan[0]).Permissions.OverwriteFiles);
        Assert.Empty(approval.GetOptions(plan[1]).Permissions.OverwriteFiles);
    }

    [Fact]
    public void OwnFilesOnly_asks_nothing_and_suggests_no_permission()
    {
        var front = new RecordingSuiteFront { Answer = _ => TargetAnswer.Yes };
        var settings = new SuiteSettings { OwnFilesOnly = true };
        var plan = new[]
        {
            CreateTest(100, _folder.WriteOtherFile("theirs.dat")),
            CreateTest(0, _folder.WriteOtherFile("read.dat")),
            CreateTest(0, _folder.WriteOtherFile("x.mdf")),
        };
        var approval = SuiteApproval.Create(plan, settings, front);
        Assert.DoesNotContain(front.Questions, question => question.Kind != TargetQuestionKind.LoadSqlServerVolume);
        Assert.Equal(
            ["IoBench.NotOwnFile", "IoBench.NotOwnFile", "IoBench.SqlServerFile"],
            approval.Refusals.Select(refusal => refusal.Error.ErrorId)
        );
        Assert.All(approval.Refusals, refusal => Assert.Empty(refusal.Error.Options.Intersect(GetPermissionNames())));
    }

    [Fact]
    public void SQL_Server_file_is_confirmed_for_reads_and_refused_for_writes()
    {
        var file = _folder.WriteOtherFile("x.mdf");
        var front = new RecordingSuiteFront
        {
            Answer = question => question.Kind == TargetQuestionKind.ReadSqlServerFile ? TargetAnswer.YesToAll : TargetAnswer.NoToAll,
        };
        var plan = new[] { CreateTest(100, file), CreateTest(0, file), CreateTest(0, _folder.GetPath("x.mdf")) };
        var approval = SuiteApproval.Create(plan, new SuiteSettings(), front);
        // The volume now contains a SQL Server file, which also requires a confirmation.
        Assert.Equal(
            [TargetQuestionKind.ReadSqlServerFile],
            front.Questions.Select(q => q.Kind).Where(kind => kind != TargetQuestionKind.LoadSqlServerVolume)
        );
        Assert.Equal("IoBench.SqlServerFile", Assert.Single(approval.Refusals).Error.ErrorId);
    }

    [Fact]
    public void Named_file_needs_no_confirmation_and_another_one_is_still_refused()
    {
        var front = new RecordingSuiteFront { Answer = _ => TargetAnswer.CannotAsk };
        var settings = new SuiteSettings { Permissions = new TargetPermissions { OverwriteFiles = ["one.dat"] } };
        var plan = new[] { CreateTest(100, _folder.WriteOtherFile("one.dat")), CreateTest(100, _folder.WriteOtherFile("two.dat")) };
        var approval = SuiteApproval.Create(plan, settings, front);
        Assert.Equal([plan[0]], approval.Tests);
        var refusal = Assert.Single(approval.Refusals);
        Assert.Equal(_folder.GetPath("two.dat"), refusal.Path);
        Assert.Contains("OverwriteFile two.dat", refusal.Error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Refusal_lists_the_reasons_of_all_targets_once()
    {
        var (one, two) = (_folder.WriteOtherFile("one.dat"), _folder.WriteOtherFile("two.dat"));
        var database = _folder.WriteOtherFile("x.mdf");
        var plan = new[] { CreateTest(100, one), CreateTest(50, one), CreateTest(100, two), CreateTest(0, database) };
        var front = new RecordingSuiteFront { NeedsAllTargets = true };
        var error = Assert.Throws<IoBenchException>(() => SuiteApproval.Create(plan, new SuiteSettings(), front));
        Assert.Equal(
            [("IoBench.ForeignFile", one), ("IoBench.ForeignFile", two), ("IoBench.SqlServerFile", database)],
            error.Reasons.Select(reason => (reason.ErrorId, reason.Target))
        );
        Assert.Equal("IoBench.ForeignFile", error.ErrorId);
        // The run cannot start, so the user is asked about the first file only.
        Assert.Equal([TargetQuestionKind.Overwrite], front.Questions.Select(q => q.Kind).Distinct());
        Assert.Single(front.Questions);
    }

    [Fact]
    public void Command_without_a_switch_does_not_advise_it_and_does_not_ask()
    {
        var front = new RecordingSuiteFront { Answer = _ => TargetAnswer.Yes };
        var settings = new SuiteSettings { MissingSwitches = TargetPermissions.Options, AdviceWithoutSwitch = "Use another file." };
        var approval = SuiteApproval.Create([CreateTest(100, _folder.WriteOtherFile("one.dat"))], settings, front);
        Assert.Equal("Use another file.", Assert.Single(approval.Refusals).Error.Advice?.ToString());
        Assert.Empty(front.Questions);
    }

    private static IEnumerable<string> GetPermissionNames() => TargetPermissions.Options.Select(option => option.Name);

    [Fact]
    public void Modeled_device_has_no_file()
    {
        var test = CreateTest(100, "/no/such/folder/x");
        test.Backend = NullBackend.Name;
        var target = Assert.Single(SuiteApproval.Create([test], new SuiteSettings(), front: null).Targets);
        Assert.True(target.IsImagined);
        Assert.False(target.IsFile);
        Assert.Empty(SuiteTestFiles.DescribeKeptFiles([target]));
        Assert.Empty(SuiteTestFiles.RemoveOwnFiles([target]));
    }
}
