namespace IoBench.Engine.Tests;

public class BackendCatalogTests
{
    [Fact]
    public void Every_backend_has_one_descriptor_and_Auto_none()
    {
        Assert.Equal(
            ["IoUring", "LinuxAio", "NvmePassthrough", "Overlapped", "Threads", "Null"],
            BackendCatalog.All.Select(backend => backend.Name)
        );
        Assert.Equal(["Auto", "IoUring", "LinuxAio", "NvmePassthrough", "Overlapped", "Threads", "Null"], BackendCatalog.Names);
        Assert.Null(BackendCatalog.Find(BackendCatalog.Auto));
        Assert.Equal(NullBackend.Name, Assert.Single(BackendCatalog.All, backend => backend.IsModelled).Name);
    }

    [Fact]
    public void What_belongs_to_another_system_says_so_and_the_others_make_their_own_kind()
    {
        foreach (var backend in BackendCatalog.All)
        {
            if (!backend.BelongsHere)
                Assert.Contains(" is a part of ", backend.WhyNot(), StringComparison.Ordinal);
            else if (backend.WhyNot() is null)
                Assert.Same(backend, backend.Create(null, null).Kind);
        }
        Assert.Null(BackendCatalog.Of(ThreadsBackend.Name).WhyNot());
        Assert.Null(BackendCatalog.Of(NullBackend.Name).WhyNot());
    }

    [Theory]
    [InlineData("IoUring", IoUringBackend.Name)]
    [InlineData("IoUring (defer_taskrun, registered files)", IoUringBackend.Name)]
    [InlineData("overlapped", OverlappedBackend.Name)]
    [InlineData("libaio", null)]
    [InlineData("", null)]
    [InlineData(null, null)]
    public void A_results_backend_is_known_by_its_name(string? name, string? kind) =>
        Assert.Equal(kind, BackendCatalog.OfResult(new IoTestResult { Backend = name })?.Name);

    [Theory]
    [InlineData("iouring", "IoUring")]
    [InlineData("NULL", "Null")]
    [InlineData("auto", "Auto")]
    [InlineData(null, "Auto")]
    [InlineData("BackendOfTomorrow", "BackendOfTomorrow")]
    public void A_test_asks_for_a_backend_in_any_case(string? asked, string kept) =>
        Assert.Equal(kept, new IoTestSpecification { Backend = asked! }.Backend);

    [Fact]
    public void A_name_that_no_backend_has_is_refused_with_those_that_there_are()
    {
        var error = Assert.Throws<IoBenchException>(() =>
            SpecificationValidator.Validate(new IoTestSpecification { Targets = [new("t.dat")], Backend = "Backend1" })
        );
        Assert.Contains(
            "is not one of auto, iouring, linuxaio, nvmepassthrough, overlapped, threads, null",
            error.Message,
            StringComparison.Ordinal
        );
    }
}
