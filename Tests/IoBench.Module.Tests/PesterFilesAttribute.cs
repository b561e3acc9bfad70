using Xunit.Abstractions;
using Xunit.Sdk;

namespace IoBench.Module.Tests;

/// <summary>A test case for each Pester file of a shard. Each test of the file has its own result.</summary>
[AttributeUsage(AttributeTargets.Method)]
[XunitTestCaseDiscoverer("IoBench.Module.Tests.PesterFilesDiscoverer", "IoBench.Module.Tests")]
public sealed class PesterFilesAttribute(int shard) : FactAttribute
{
    public int Shard { get; } = shard;
}

/// <summary>Makes the test cases of <see cref="PesterFilesAttribute"/>.</summary>
public sealed class PesterFilesDiscoverer(IMessageSink sink) : IXunitTestCaseDiscoverer
{
    public IEnumerable<IXunitTestCase> Discover(
        ITestFrameworkDiscoveryOptions discoveryOptions,
        ITestMethod testMethod,
        IAttributeInfo factAttribute
    ) =>
        PesterShards
            .Of(factAttribute.GetNamedArgument<int>(nameof(PesterFilesAttribute.Shard)))
            .Select(file => new PesterTestCase(sink, discoveryOptions, testMethod, file));
}
