# The commands of the module in Windows PowerShell 5.1. They call the program iobench and return objects with the property names of the cmdlets.
# IoBench.psm1 loads this file instead of the assemblies, which require PowerShell 7.4.

function Find-Program {
    <# Path of iobench: IOBENCH_PROGRAM, the folder of the module, or PATH. #>
    foreach ($path in $env:IOBENCH_PROGRAM, "$PSScriptRoot/../bin/iobench.exe", "$PSScriptRoot/../iobench.exe") {
        if ($path -and (Test-Path -LiteralPath $path -PathType Leaf)) { return (Resolve-Path -LiteralPath $path).ProviderPath }
    }
    $found = Get-Command iobench -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
    if ($found) { return $found.Path }
    throw (New-Object System.Management.Automation.ErrorRecord (New-Object System.IO.FileNotFoundException 'In Windows PowerShell 5.1, IoBench calls the program iobench, which was not found. Add its folder to PATH, or set the environment variable IOBENCH_PROGRAM to its path.'), 'IoBench.NoProgram', 'ObjectNotFound', 'iobench')
}

function Format-Argument {
    <# One argument in a Windows command line: .NET Framework has no list of arguments. #>
    param([string] $Text)

    if ($Text -match '^[^\s"]+$') { return $Text }
    # Backslashes before a quotation mark, and before the closing one, are doubled.
    '"' + (($Text -replace '(\\*)"', '$1$1\"') -replace '(\\+)$', '$1$1') + '"'
}

function Get-FullPath {
    param([string[]] $Path)

    foreach ($name in $Path) { $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($name) }
}

function ConvertTo-OptionList {
    <# The options of the program for parameters of the same name: OutstandingIO = 1, 2 becomes --outstanding-io 1,2. #>
    param([System.Collections.IDictionary] $Parameter, [string[]] $Name)

    foreach ($key in $Name) {
        if ($Parameter.Keys -notcontains $key) { continue }
        $value = $Parameter[$key]
        if ($value -is [switch]) {
            if (-not $value) { continue }
            '--' + (($key -creplace '(?<=[a-z0-9])(?=[A-Z])', '-').ToLowerInvariant())
            continue
        }
        '--' + (($key -creplace '(?<=[a-z0-9])(?=[A-Z])', '-').ToLowerInvariant())
        @($value | ForEach-Object { [System.Convert]::ToString($_, [cultureinfo]::InvariantCulture) }) -join ','
    }
}

function ConvertTo-ResultObject {
    <# JSON of the program with the property names of the module: iops becomes IOPS, ioPattern IOPattern, averageLatencyMs AverageLatencyMs. #>
    param($Value)

    if ($Value -is [array]) {
        $items = New-Object System.Collections.Generic.List[object]
        foreach ($item in $Value) { $items.Add((ConvertTo-ResultObject $item)) }
        return , $items.ToArray()
    }
    if ($Value -isnot [System.Management.Automation.PSCustomObject]) { return $Value }
    $object = [ordered]@{}
    foreach ($property in $Value.PSObject.Properties) {
        $name = $property.Name
        if ($name -ceq 'iops') { $name = 'IOPS' }
        elseif ($name -cmatch '^io[A-Z]') { $name = 'IO' + $name.Substring(2) }
        elseif ($name -ceq 'mBps' -or $name -ceq 'mbps') { $name = 'MBps' }
        else { $name = $name.Substring(0, 1).ToUpperInvariant() + $name.Substring(1) }
        $object[$name] = ConvertTo-ResultObject $property.Value
    }
    New-Object psobject -Property $object
}

function Invoke-Program {
    <# Runs iobench. Returns its output and exit code. Its messages become warnings, errors with the same ids, and verbose messages. #>
    param([string[]] $Argument)

    $start = New-Object System.Diagnostics.ProcessStartInfo (Find-Program)
    $start.Arguments = @($Argument | ForEach-Object { Format-Argument $_ }) -join ' '
    $start.WorkingDirectory = $ExecutionContext.SessionState.Path.CurrentFileSystemLocation.ProviderPath
    $start.UseShellExecute = $false
    $start.RedirectStandardInput = $start.RedirectStandardOutput = $start.RedirectStandardError = $true
    $start.StandardOutputEncoding = $start.StandardErrorEncoding = [System.Text.Encoding]::UTF8
    $process = [System.Diagnostics.Process]::Start($start)
    try {
        # Nobody can answer a question, so the program refuses what would need one.
        $process.StandardInput.Close()
        $messages = $process.StandardError.ReadToEndAsync()
        $output = $process.StandardOutput.ReadToEndAsync()
        # In steps, so that Ctrl+C ends the wait.
        while (-not $process.WaitForExit(200)) { }
        $process.WaitForExit()
        $text = $output.Result
        $lines = $messages.Result -split '\r?\n' | Where-Object { $_.Trim() }
        $code = $process.ExitCode
    } finally {
        if (-not $process.HasExited) { $process.Kill() }
        $process.Dispose()
    }
    $hasError = $false
    foreach ($line in $lines) {
        if ($line -match '^(Warning|Note): (.*)$') {
            Write-Warning $Matches[2]
        } elseif ($line -match '^iobench: (.*?)(?: \[(IoBench\.\w+)\])?$') {
            $hasError = $true
            $id = 'IoBench.ProgramFailed'
            if ($Matches[2]) { $id = $Matches[2] }
            Write-Error -Message $Matches[1] -ErrorId $id
        } else {
            Write-Verbose $line
        }
    }
    # 3 is a verdict, which the caller returns.
    if ($code -ne 0 -and $code -ne 3 -and -not $hasError) { Write-Error -Message "iobench ended with exit code $code." -ErrorId 'IoBench.ProgramFailed' }
    New-Object psobject -Property @{ Output = $text; ExitCode = $code }
}

function Get-ProgramAnswer {
    <# Runs a command of iobench with the output format JSON, and returns its objects. #>
    param([string[]] $Argument)

    $answer = Invoke-Program ($Argument + '--format', 'json')
    if (-not $answer.Output.Trim()) { return }
    $value = $answer.Output | ConvertFrom-Json
    foreach ($item in $value) { ConvertTo-ResultObject $item }
}

function Export-TemporaryResult {
    <# Writes results from the pipeline to a file that iobench reads. #>
    param([object[]] $Result)

    $file = Join-Path ([System.IO.Path]::GetTempPath()) ('iobench-' + [guid]::NewGuid().ToString('N') + '.json')
    [System.IO.File]::WriteAllText($file, (ConvertTo-Json -InputObject $Result -Depth 20))
    $file
}

function Invoke-IoTest {
    <# Tests storage: iobench run. Other options of the program are possible with -ArgumentList. #>
    [CmdletBinding()]
    param(
        [Parameter(Position = 0)] [string[]] $Path, [Parameter(Position = 1)] [string[]] $Workload, [string] $FileSize, [string] $Duration, [string] $WarmUp,
        [string[]] $BlockSize, [int[]] $OutstandingIO, [string[]] $ThreadCount, [int[]] $WritePercent, [string[]] $AccessPattern, [string] $Buffering, [double] $TargetIops, [int] $Repeat,
        [string[]] $Label, [string] $DataPath, [string] $LogPath, [string] $TempdbPath, [string] $BackupPath, [string] $Storage, [string] $OutputPath, [switch] $RemoveTestFile, [switch] $Force,
        [string[]] $ArgumentList
    )

    $options = @{}
    foreach ($name in $PSBoundParameters.Keys) { $options[$name] = $PSBoundParameters[$name] }
    foreach ($name in 'DataPath', 'LogPath', 'TempdbPath', 'BackupPath') { if ($options.ContainsKey($name)) { $options[$name] = Get-FullPath $options[$name] } }
    $arguments = @('run') + @(Get-FullPath $Path) + @(ConvertTo-OptionList $options @(
            'Workload', 'FileSize', 'Duration', 'WarmUp', 'BlockSize', 'OutstandingIO', 'ThreadCount', 'WritePercent', 'AccessPattern', 'Buffering', 'TargetIops', 'Repeat',
            'Label', 'DataPath', 'LogPath', 'TempdbPath', 'BackupPath', 'Storage', 'RemoveTestFile', 'Force'))
    if ($OutputPath) { $arguments += '--output', (Get-FullPath $OutputPath) }
    Get-ProgramAnswer ($arguments + @($ArgumentList | Where-Object { $_ }))
}

function Test-IoIntegrity {
    <# Verifies that storage returns what was written: iobench verify. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true, Position = 0)] [string[]] $Path, [string[]] $Workload, [string] $FileSize, [string] $Duration, [string] $WarmUp, [string[]] $BlockSize,
        [int[]] $OutstandingIO, [string[]] $ThreadCount, [int[]] $WritePercent, [switch] $RemoveTestFile, [string[]] $ArgumentList
    )

    Get-ProgramAnswer (@('verify') + @(Get-FullPath $Path) + @(ConvertTo-OptionList $PSBoundParameters @(
                'Workload', 'FileSize', 'Duration', 'WarmUp', 'BlockSize', 'OutstandingIO', 'ThreadCount', 'WritePercent', 'RemoveTestFile')) + @($ArgumentList | Where-Object { $_ }))
}

function Import-IoResult {
    <# Reads results of SQLIO, DiskSpd, fio, CrystalDiskMark, VMFleet, and IoBench: iobench import. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true, Position = 0, ValueFromPipeline = $true, ValueFromPipelineByPropertyName = $true)] [Alias('FullName', 'PSPath')] [string[]] $Path,
        [string] $Label, [ValidateSet('FileName', 'Folder')] [string] $LabelFrom, [switch] $Recurse
    )

    begin { $files = New-Object System.Collections.Generic.List[string] }
    process { foreach ($name in $Path) { foreach ($file in Get-FullPath $name) { $files.Add($file) } } }
    end { Get-ProgramAnswer (@('import') + $files + @(ConvertTo-OptionList $PSBoundParameters @('Label', 'LabelFrom', 'Recurse'))) }
}

function Test-IoResult {
    <# Rates results: iobench test. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true, ValueFromPipeline = $true)] [object[]] $InputObject, [Parameter(Position = 0)] [string[]] $RuleSet, [string] $Storage, [switch] $Summary, [switch] $Quiet
    )

    begin { $results = New-Object System.Collections.Generic.List[object] }
    process { foreach ($result in $InputObject) { $results.Add($result) } }
    end {
        $file = Export-TemporaryResult $results.ToArray()
        try {
            $arguments = @('test', $file) + @(ConvertTo-OptionList $PSBoundParameters @('Storage'))
            if ($RuleSet) { $arguments += '--require', ($RuleSet -join ',') }
            if ($Quiet) { return (Invoke-Program ($arguments + '--format', 'json')).ExitCode -eq 0 }
            $answer = Get-ProgramAnswer $arguments
            if ($Summary) { return $answer }
            $answer.Rules
        } finally {
            Remove-Item -LiteralPath $file
        }
    }
}

function Compare-IoResult {
    <# Compares results: iobench compare. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true, ValueFromPipeline = $true)] [object[]] $InputObject, [Parameter(Position = 0)] [string] $Baseline, [string] $By, [switch] $Repeat
    )

    begin { $results = New-Object System.Collections.Generic.List[object] }
    process { foreach ($result in $InputObject) { $results.Add($result) } }
    end {
        $file = Export-TemporaryResult $results.ToArray()
        try {
            $answer = @(Get-ProgramAnswer (@('compare', $file) + @(ConvertTo-OptionList $PSBoundParameters @('Baseline', 'By', 'Repeat'))))
            if ($Repeat) { return $answer }
            foreach ($comparison in $answer) { $comparison.Rows }
        } finally {
            Remove-Item -LiteralPath $file
        }
    }
}

function Export-IoReport {
    <# Creates an Excel workbook, an HTML report, or an image: iobench report. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory = $true, ValueFromPipeline = $true)] [object[]] $InputObject, [Parameter(Mandatory = $true, Position = 0)] [string] $Path, [string] $Title, [string] $Storage,
        [string] $Provisioned, [switch] $Classic, [switch] $Body, [switch] $NoSummary, [switch] $Force, [switch] $PassThru
    )

    begin { $results = New-Object System.Collections.Generic.List[object] }
    process { foreach ($result in $InputObject) { $results.Add($result) } }
    end {
        $file = Export-TemporaryResult $results.ToArray()
        try {
            $report = Get-FullPath $Path
            $arguments = @('report', $file, '--report', $report) + @(ConvertTo-OptionList $PSBoundParameters @('Title', 'Storage', 'Provisioned', 'Classic', 'Body', 'NoSummary', 'Force'))
            $answer = Invoke-Program $arguments
            if ($PassThru -and $answer.ExitCode -eq 0) { Get-Item -LiteralPath $report }
        } finally {
            Remove-Item -LiteralPath $file
        }
    }
}
