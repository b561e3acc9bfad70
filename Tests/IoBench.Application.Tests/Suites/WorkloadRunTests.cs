using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;
using IoBench.Workloads;

namespace IoBench.Application.Tests;

public class WorkloadRunTests
{
    public static TheoryData<string> Names => [.. WorkloadCatalog.All.Where(w => w.Kind == CatalogEntryKind.Workload).Select(w => w.Name)];

    private static PlanRequest CreateRequest(string name, params string[] paths)
    {
        var request = new PlanRequest { Paths = paths, Workloads = [name] };
        request
            .Set("Duration", TimeSpan.FromMilliseconds(60))
            .Set("WarmUp", TimeSpan.Zero)
            .Set("FileSize", new object[] { 256L << 20 })
            .Set("Backend", NullBackend.Name);
        return request;
    }

    private static IoTestResult RunTest(IoTestSpecification test)
    {
        var outcome = new SuiteRunner(new RecordingSuiteFront()).Run(
            SuiteApproval.Create([test], new SuiteSettings(), front: null),
            [],
            CancellationToken.None
        );
        Assert.Empty(outcome.Failures);
        return Assert.Single(outcome.Results);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_workload_runs_and_is_saved(string name)
    {
        var test = Assert.Single(TestPlanner.Create(CreateRequest(name, "t.dat")).Tests);
        test.NullDevice = new NullDeviceModel(8, 0.5);
        var result = RunTest(test);
        // A busy computer can give a thread no CPU time in such a short run.
        while (result.Targets.Exists(target => target.Total.IOCount is null or 0) && test.Duration < TimeSpan.FromSeconds(60))
        {
            test.Duration *= 4;
            result = RunTest(test);
        }
        Assert.Equal(
            (IoResultStatus.Complete, name, WorkloadCatalog.Find(name).Role),
            (result.Status, result.Workload, result.WorkloadRole)
        );
        Assert.All(result.Targets, target => Assert.True(target.Total.IOCount > 0, target.IOPattern));
        Assert.Equal(test.Targets.Select(t => t.Role), result.Targets.Select(t => t.Role));

        var text = new StringWriter();
        ResultWriter.Write(text, [result], ResultFormat.Json);
        var file = Path.GetTempFileName();
        File.WriteAllText(file, text.ToString());
        var read = Assert.Single(ResultReader.ReadFile(file));
        File.Delete(file);
        Assert.Equal((result.IOPS, result.IOPattern), (read.IOPS, read.IOPattern));
        Assert.Empty(ResumePlan.GetRemainingTests([test], [read]));
        Assert.Empty(RoleInterference.Find([read]));
    }

    [Fact]
    public void Concurrent_patterns_use_one_path_each_path_or_role_paths()
    {
        static string Places(IoTestSpecification test) => string.Join(" ", test.Targets.Select(t => $"{t.Role}={t.Path}"));
        Assert.Equal("backup=t.dat data=t.dat", Places(Assert.Single(TestPlanner.Create(CreateRequest("restore", "t.dat")).Tests)));
        Assert.Equal(["backup=a data=a", "backup=b data=b"], TestPlanner.Create(CreateRequest("restore", "a", "b")).Tests.Select(Places));
        var roles = CreateRequest("restore");
        roles.Roles = new RolePaths(Data: "d", Backup: "b");
        Assert.Equal("backup=b data=d", Places(Assert.Single(TestPlanner.Create(roles).Tests)));
        var objects = new PlanRequest { Paths = ["p"], Specifications = WorkloadCatalog.Resolve("tde-scan") };
        Assert.Equal("data=p data=p", Places(Assert.Single(TestPlanner.Create(objects).Tests)));
    }

    [Fact]
    public void Invalid_options_for_concurrent_patterns_throw()
    {
        static IoBenchException Fails(PlanRequest request) => Assert.Throws<IoBenchException>(() => TestPlanner.Create(request));
        var size = CreateRequest("restore", "t.dat");
        size.Set("BlockSize", new object[] { 8192 });
        Assert.Equal("IoBench.SuiteOverride", Fails(size).ErrorId);
        Assert.Contains("2 concurrent patterns", Fails(size).Message);
        Assert.Equal("IoBench.NoPath", Fails(CreateRequest("restore")).ErrorId);

        var one = CreateRequest("page-read");
        one.Roles = new RolePaths(Data: "d", Log: "l");
        Assert.Equal("IoBench.RolesAndPattern", Fails(one).ErrorId);
        var missing = CreateRequest("index-rebuild");
        missing.Roles = new RolePaths(Data: "d", Backup: "b");
        Assert.Equal("IoBench.NoRolePath", Fails(missing).ErrorId);
        Assert.Contains("log", Fails(missing).Message);
    }
}
