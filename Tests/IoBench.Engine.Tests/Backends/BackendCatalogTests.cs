namespace IoBench.Engine.Tests;

public class BackendCatalogTests
{
    [Fact]
    public void Catalog_has_one_descriptor_per_backend_and_none_for_Auto()
    {
        Assert.Equal(["IoUring", "LinuxAio", "Overlapped", "Threads", "Null"], BackendCatalog.All.Select(backend => backend.Name));
        Assert.Equal(["Auto", "IoUring", "LinuxAio", "Overlapped", "Threads", "Null"], BackendCatalog.Names);
        Assert.Null(BackendCatalog.Find(BackendCatalog.Auto));
        Assert.Equal(NullBackend.Name, Assert.Single(BackendCatalog.All, backend => backend.IsModeled).Name);
    }

    [Fact]
    public void Descriptor_creates_its_backend_or_names_the_required_system()
    {
        foreach (var backend in BackendCatalog.All)
        {
            if (!backend.RunsOnThisSystem)
                Assert.Contains(" requires ", backend.GetUnavailableReason(), StringComparison.Ordinal);
            else if (backend.GetUnavailableReason() is null)
                Assert.Same(backend, backend.Create(null, null).Kind);
        }
        Assert.Null(BackendCatalog.Get(ThreadsBackend.Name).GetUnavailableReason());
        Assert.Null(BackendCatalog.Get(NullBackend.Name).GetUnavailableReason());
    }

    [Theory]
    [InlineData("IoUring", IoUringBackend.Name)]
    [InlineData("IoUring (defer_taskrun, registered files)", IoUringBackend.Name)]
    [InlineData("overlapped", OverlappedBackend.Name)]
    [InlineData("libaio", null)]
    [InlineData("", null)]
    [InlineData(null, null)]
    public void Catalog_finds_the_backend_that_a_result_names(string? name, string? kind) =>
        Assert.Equal(kind, BackendCatalog.FindForResult(new IoTestResult { Backend = name })?.Name);

    [Theory]
    [InlineData("iouring", "IoUring")]
    [InlineData("NULL", "Null")]
    [InlineData("auto", "Auto")]
    [InlineData(null, "Auto")]
    [InlineData("BackendOfTomorrow", "BackendOfTomorrow")]
    public void Specification_accepts_backend_names_in_any_case(string? asked, string kept) =>
        Assert.Equal(kept, new IoTestSpecification { Backend = asked! }.Backend);

    [Fact]
    public void Validation_lists_valid_backends_for_an_unknown_name()
    {
        var error = Assert.Throws<IoBenchException>(() =>
            SpecificationValidator.Validate(new IoTestSpecification { Targets = [new("t.dat")], Backend = "Backend1" })
        );
        Assert.Contains("is not one of auto, iouring, linuxaio, overlapped, threads, null", error.Message, StringComparison.Ordinal);
    }
}
