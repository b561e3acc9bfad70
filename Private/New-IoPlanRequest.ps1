function New-IoPlanRequest {
    <# The parameters of Invoke-IoTest that were given, as the request the engine makes tests of. Throws what the user must mend. #>
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Makes an object and changes nothing.')]
    [OutputType([IoBench.Engine.TestPlanRequest])]
    param(
        [Parameter(Mandatory)]
        [hashtable] $Setting,

        [Parameter(Mandatory)]
        [System.Management.Automation.SessionState] $SessionState
    )

    $request = [IoBench.Engine.TestPlanRequest]::new()
    # A column of a table may be empty: that is as if it were not there.
    $given = @{}
    foreach ($name in $Setting.Keys) {
        if ($null -ne $Setting[$name] -and -not ($Setting[$name] -is [string] -and $Setting[$name] -eq '')) {
            $given[$name] = $Setting[$name]
        }
    }
    # A cmdlet that has no lists of them gives one value.
    if ($given.ContainsKey('Workload')) { $request.Workloads = [string[]]$given.Workload }
    if ($given.ContainsKey('Label')) { $request.Labels = [string[]]$given.Label }
    if ($given.ContainsKey('WritePercent')) { $request.WritePercents = [int[]]$given.WritePercent }
    if ($given.ContainsKey('OutstandingIO')) { $request.OutstandingIOs = [int[]]$given.OutstandingIO }
    if ($given.ContainsKey('AccessPattern')) { $request.AccessPatterns = [IoBench.Engine.IoAccessPattern[]]$given.AccessPattern }
    foreach ($pair in @{ FileSize = 'FileSizes'; BlockSize = 'BlockSizes' }.GetEnumerator()) {
        if ($given.ContainsKey($pair.Key)) { $request.($pair.Value) = [long[]]$given[$pair.Key].Bytes }
    }
    foreach ($pair in @{ Duration = 'Duration'; WarmUp = 'WarmUp'; CoolDown = 'CoolDown'; IdleSeconds = 'Idle' }.GetEnumerator()) {
        if ($given.ContainsKey($pair.Key)) { $request.($pair.Value) = $given[$pair.Key].TimeSpan }
    }
    foreach ($name in 'Stride', 'StorageCacheSize') {
        if ($given.ContainsKey($name)) { $request.$name = $given[$name].Bytes }
    }
    foreach ($name in 'Buffering', 'TargetIops', 'MaxRate', 'RandomPercent', 'BurstSize', 'FlushEvery', 'Seed', 'Backend', 'StopAboveMs', 'PathMode', 'Repeat') {
        if ($given.ContainsKey($name)) { $request.$name = $given[$name] }
    }
    if ($given.ContainsKey('ThreadCount')) {
        $request.ThreadCounts = [int[]]@(
            foreach ($count in $given.ThreadCount) {
                if ($count -eq 'Auto') {
                    [math]::Min(256, [environment]::ProcessorCount)
                } elseif ($count -match '^\d{1,6}$') {
                    [int]$count
                } else {
                    throw [IoBench.Engine.IoBenchException]::Usage('IoBench.InvalidThreadCount', "'$count' is not a thread count. Give 1 to 256, or Auto for one a logical processor.", $count)
                }
            }
        )
    }
    $steady = $given.ContainsKey('SteadyState') -and $given.SteadyState
    if ($given.ContainsKey('MaxRounds') -and -not $steady) {
        throw [IoBench.Engine.IoBenchException]::Usage('IoBench.RoundsWithoutSteadyState', '-MaxRounds needs -SteadyState.')
    }
    if ($steady) {
        $request.SteadyStateRounds = $given.ContainsKey('MaxRounds') ? $given.MaxRounds : [IoBench.Analysis.SteadyStateRounds]::DefaultMaxRounds
    }
    if ($given.ContainsKey('ThinkTime')) {
        $request.ThinkTimeMs = [int]$given.ThinkTime.TimeSpan.TotalMilliseconds
    }
    if ($given.ContainsKey('Shuffle')) {
        $request.Shuffle = [bool]$given.Shuffle
    }
    if ($given.ContainsKey('WriteContent')) {
        $kind = [IoBench.Engine.IoWriteContentKind]::Random
        if ($given.WriteContent -ne 'File' -and [enum]::TryParse($given.WriteContent, $true, [ref] $kind)) {
            $request.WriteContent = $kind
        } else {
            $request.WriteContentFile = $SessionState.Path.GetUnresolvedProviderPathFromPSPath($given.WriteContent)
            if (-not [System.IO.File]::Exists($request.WriteContentFile)) {
                throw [IoBench.Engine.IoBenchException]::NotFound('IoBench.FileNotFound', "-WriteContent $($given.WriteContent) is neither Random, Zero nor Pattern, nor a file that exists.", $given.WriteContent)
            }
        }
    }
    if ($given.ContainsKey('Affinity')) {
        if ($given.Affinity -in 'Off', 'RoundRobin') {
            $request.AffinityMode = $given.Affinity
        } else {
            $request.Processors = [int[]]@(ConvertFrom-IoProcessorList -Text $given.Affinity)
        }
    }
    $request
}
